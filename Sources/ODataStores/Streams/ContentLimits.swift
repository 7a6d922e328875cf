import ODataModel
import ODataQuery

/// What the metadata say of the content of a stream: it is checked before a request waits that the service would refuse
/// after the whole upload.
///
/// `MaxLength` of a stream property; `Core.AcceptableMediaTypes`, `Core.MediaType` and `Validation.Maximum` of a stream
/// property or of the type of media entities.
package struct ContentLimits: Sendable {
    private let name: String
    private let maxLengths: [(length: Int64, source: String)]
    private let mediaTypes: [(allowed: [String], source: String)]

    /// - Parameter path: Of a stream property, of a media entity, or where one is to be made.
    package init(at path: ResourcePath, in model: EdmModel) {
        if case .stream(let property) = path.target {
            self.init(of: property)
            return
        }
        var reference = path.valueType
        if case .collection(let element)? = reference { reference = element }
        guard case .entity(let name)? = reference, let type = model.structuredType(named: name) else {
            self.init(name: path.url, maxLength: nil, annotations: [])
            return
        }
        self.init(name: name.name, maxLength: nil, annotations: model.annotations(withBasesOf: type))
    }

    /// - Parameter property: A stream property.
    package init(of property: EdmProperty) {
        self.init(name: property.name, maxLength: property.maxLength, annotations: property.annotations)
    }

    private init(name: String, maxLength: Int?, annotations: [EdmAnnotation]) {
        let value = { (term: String) in annotations.first { $0.term == term }?.value }
        self.name = name
        maxLengths = [
            (maxLength.map { Int64($0) }, "MaxLength"),
            (value(EdmAnnotation.maximum).flatMap(Self.bytes), "Validation.Maximum"),
        ].compactMap { length, source in length.map { (length: $0, source: source) } }
        // A path leads to a property with the type.
        let only = value(EdmAnnotation.mediaType)?.string.flatMap { $0.contains("/") ? [$0] : nil }
        mediaTypes = [(annotations.acceptableMediaTypes, "Core.AcceptableMediaTypes"), (only, "Core.MediaType")]
            .compactMap { allowed, source in allowed.map { (allowed: $0, source: source) } }
    }

    /// In bytes; nil if the metadata have none.
    package var maxLength: Int64? { maxLengths.map(\.length).min() }

    /// Media types and ranges of them; nil if the metadata have none.
    package var contentTypes: [String]? { mediaTypes.last?.allowed }

    /// - Parameter length: In bytes; nil where it is not known yet.
    /// - Throws: ``ODataError`` `tooLarge` or `unsupportedMediaType`, which names the limit; `badRequest` for what is not a
    ///   media type, which every service would have to refuse.
    package func check(length: Int64?, type: String) throws {
        guard MediaTypeSyntax.isWellFormed(type) else {
            throw ODataError(
                .badRequest, "The type “\(type)” of the content for \(name) is not a media type such as image/png.")
        }
        for limit in maxLengths {
            guard let length, length > limit.length else { continue }
            throw ODataError(
                .tooLarge,
                """
                The content for \(name) has \(length) bytes; the service takes \(limit.length) at most (\(limit.source)).
                """)
        }
        for limit in mediaTypes where !limit.allowed.contains(where: { Self.matches(type, $0) }) {
            throw ODataError(
                .unsupportedMediaType,
                """
                The content for \(name) is of type \(type); the service takes \
                \(limit.allowed.joined(separator: ", ")) (\(limit.source)).
                """)
        }
    }

    /// Whether a media type, without its parameters, is `image/png`, `image/*` or `*/*`.
    package static func matches(_ type: String, _ allowed: String) -> Bool {
        let (type, allowed) = (essence(type), essence(allowed))
        if allowed.hasSuffix("/*") { return allowed == "*/*" || type.hasPrefix(allowed.dropLast()) }
        return type == allowed
    }

    private static func essence(_ type: String) -> String {
        type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    /// The number of bytes that `Validation.Maximum` of a stream says: `4096`, or `20MB` as CAP services write it.
    private static func bytes(_ value: EdmAnnotation.Value) -> Int64? {
        switch value {
        case .int(let number): number
        case .string(let text), .constant(_, let text): bytes(text: text)
        default: nil
        }
    }

    /// Whether a thousand or 1024 is meant is unknown: nothing is refused here that the service may take.
    private static func bytes(text: String) -> Int64? {
        let text = text.uppercased().filter { $0 != " " }
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let factors: [String: Double] = [
            "": 1, "B": 1, "KB": 0x400, "KIB": 0x400, "MB": 0x10_0000, "MIB": 0x10_0000, "GB": 0x4000_0000,
            "GIB": 0x4000_0000,
        ]
        guard let number = Double(digits), let factor = factors[String(text.dropFirst(digits.count))] else {
            return nil
        }
        return Int64(exactly: (number * factor).rounded(.up))
    }
}
