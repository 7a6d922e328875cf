import ODataMetadata
import ODataModel

extension PayloadMachine {
    /// The error for `failure`.
    func error(_ failure: Failure) -> FormatError {
        var error = FormatError(failure.fault.message, offset: failure.offset + failure.fault.offset)
        switch failure.fault.reason {
        case .type, .range: name(failure, in: &error)
        case .escape, .controlCharacter, .utf8: nameText(failure, in: &error)
        case .duplicate:
            error.property = table.name(of: failure.entry)
            if let name = error.property { error.message = "The member \(name) is given twice." }
        case .service:
            let service = (try? JSONParser.parse(failure.bytes[...])).flatMap {
                JSONPayload.serviceError($0, source: failure.bytes[...])
            }
            error.service = service
            if let service { error.message += " \(service.message)" }
        case .unexpected:
            if let byte = failure.bytes.first {
                error.message = "The JSON is broken: \(Self.text(byte)) is not expected here."
            }
        default: break
        }
        if let entity = failure.entity {
            error.entity = entity
            error.message = "\(entity): \(error.message)"
        }
        return error
    }

    private func name(_ failure: Failure, in error: inout FormatError) {
        if let name = failure.outerName {
            error.message =
                "\(name) is control information, which \(ByteCursor.kind(failure.bytes.first)) is not a value of."
            return
        }
        guard let name = table.name(of: failure.entry) else {
            error.message = "\(ByteCursor.kind(failure.bytes.first)) is found where an entity is expected."
            return
        }
        let entry = table.entries[Int(failure.entry)]
        let shape = table.levels[Int(entry.shape)].shape
        error.property = name
        var type = "control information"
        if entry.action == .property {
            type = "\(shape.properties[Int(entry.index)].type)"
            error.isOfValue = true
        }
        if entry.action == .child { type = "\(shape.children[Int(entry.index)].shape.type.name)" }
        error.message =
            failure.fault.reason == .range
            ? "The value of \(name) is out of the range of \(type)"
            : "\(name) is of type \(type), but \(ByteCursor.kind(failure.bytes.first)) is not a valid value"
        error.message += ": \(ValueText.cut(failure.bytes))."
    }

    /// The property whose string is broken.
    private func nameText(_ failure: Failure, in error: inout FormatError) {
        guard failure.outerName == nil, let name = table.name(of: failure.entry),
            table.entries[Int(failure.entry)].action == .property
        else { return }
        (error.property, error.isOfValue) = (name, failure.fault.reason == .escape)
        error.message = "\(name): \(error.message.dropLast()): \(ValueText.cut(failure.bytes))."
    }

    private static func text(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? "“\(Unicode.Scalar(byte))”" : "byte \(byte)"
    }
}
