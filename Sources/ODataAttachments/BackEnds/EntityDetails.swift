import ODataModel
import ODataQuery
import ODataStores

extension ResourcePath {
    /// What an entity of this collection is called: `Photos(1)`.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` if it cannot be identified.
    func id(of entity: EdmEntity) throws -> String {
        let path = entity.key.map { key in entitySet.map { ResourcePath($0, key: key) } ?? appending(.key(key)) }
        guard let id = path?.url ?? entity.id else {
            throw ODataError(.invalidResponse, "An entity of \(url) has no id.")
        }
        return id
    }
}

extension RemoteAttachment {
    /// After a change that nothing more is known of.
    var withoutTags: RemoteAttachment {
        var copy = self
        (copy.etag, copy.contentTag, copy.size) = (nil, nil, nil)
        return copy
    }
}

extension EdmValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// `"valve, leak"` or `["valve","leak"]`
    var words: [String]? {
        switch self {
        case .collection(let values): values.compactMap(\.text)
        case .string(let text):
            text.split(separator: ",").map { word in
                String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        default: nil
        }
    }

    /// As many strings, or one with commas.
    static func keywords(_ words: [String], of property: EdmProperty?) -> EdmValue {
        property?.type.isCollection == true
            ? .collection(words.map(EdmValue.string)) : .string(words.joined(separator: ", "))
    }
}
