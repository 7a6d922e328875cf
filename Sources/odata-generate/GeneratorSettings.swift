import Foundation
import ODataGeneration

/// What a target says about its generated code, in a file `odata-generator.json`; of single documents in `documents`,
/// by the end of their paths:
///
/// ```json
/// {
///   "access": "public", "partial": true,
///   "documents": {
///     "shop.edmx": {"sets": ["Orders", "Customers"]},
///     "Partner/metadata.xml": {"prefix": "Partner"}
///   }
/// }
/// ```
struct GeneratorSettings {
    private var access: CodeGenerator.Access?
    private var sets: [String]?
    private var prefix: String?
    private var isPartial: Bool?
    private var documents: [String: GeneratorSettings] = [:]

    /// - Throws: ``BuildProblem`` if this is not a JSON object, and for members that have no meaning.
    init(bytes: [UInt8], file: String) throws(BuildProblem) {
        guard let members = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] else {
            throw BuildProblem("The settings are not a JSON object.", file: file)
        }
        try self.init(members, file: file, of: nil)
    }

    /// - Parameter document: Whose settings they are; nil for those of the target.
    private init(_ members: [String: Any], file: String, of document: String?) throws(BuildProblem) {
        let place = document.map { " of \($0)" } ?? ""
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            switch (name, value) {
            case ("access", let text as String): access = try Self.access(text, file: file)
            case ("sets", let names as [String]): sets = names
            case ("prefix", let text as String): prefix = text
            case ("partial", let flag as Bool): isPartial = flag
            case ("documents", let all as [String: [String: Any]]) where document == nil:
                for (name, members) in all.sorted(by: { $0.key < $1.key }) {
                    documents[name] = try GeneratorSettings(members, file: file, of: name)
                }
            case ("access", _), ("prefix", _): throw BuildProblem("\(name)\(place) is not a string.", file: file)
            case ("sets", _): throw BuildProblem("sets\(place) is not an array of names.", file: file)
            case ("partial", _): throw BuildProblem("partial\(place) is neither true nor false.", file: file)
            case ("documents", _) where document == nil:
                throw BuildProblem("documents is not an object of objects.", file: file)
            default: throw BuildProblem("There is no setting \(name)\(place): only \(Self.known).", file: file)
            }
        }
    }

    private static let known = "access, documents, partial, prefix and sets"

    /// Sets what the settings say of the document: its own before those of the target.
    func apply(to generator: inout CodeGenerator, document: String) {
        let path = "/" + document
        // The longest path is the most specific.
        let own = documents.filter { path.hasSuffix("/" + $0.key) }.max { $0.key.utf8.count < $1.key.utf8.count }?.value
        generator.access = own?.access ?? access ?? .internal
        generator.sets = own?.sets ?? sets
        generator.prefix = own?.prefix ?? prefix ?? ""
        generator.isPartial = own?.isPartial ?? isPartial ?? false
    }

    private static func access(_ text: String, file: String) throws(BuildProblem) -> CodeGenerator.Access {
        guard let access = CodeGenerator.Access(rawValue: text) else {
            let known = CodeGenerator.Access.allCases.map(\.rawValue).joined(separator: " or ")
            throw BuildProblem("access is \(known).", file: file)
        }
        return access
    }
}
