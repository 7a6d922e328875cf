import ByteStreams
import Dispatch
import ODataFormats
import ODataModel
import ODataQuery
import Synchronization

enum PayloadFuzzing {
    /// The first byte chooses what the rest is read as.
    static func readJSON(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        let (model, shape) = (FuzzModel.model, FuzzModel.shape)
        switch choice & 7 {
        case 0, 1, 2: readPage(body, kind: .collection, isShort: choice & 8 != 0)
        case 3: readPage(body, kind: .entity, isShort: choice & 8 != 0)
        case 4: rewrite(body, type: shape.type, isUpdate: choice & 8 != 0)
        case 5: _ = JSONPayload.error(body)
        case 6: _ = try? JSONPayload.value(body, type: .complex(EdmQualifiedName("F.Place")), model: model)
        default: _ = try? JSONPayload.references(body)
        }
    }

    /// What is read is written, and that is read again.
    private static func readPage(_ body: [UInt8], kind: PayloadKind, isShort: Bool) {
        let reader = JSONEntityReader(ByteContent(body), shape: FuzzModel.shape, kind: kind)
        guard let blocks = blocks(of: reader) else { return }
        _ = blocks.map { EntityAssembler(shape: FuzzModel.shape).entities(in: $0) }
        var options = JSONWriterOptions()
        options.usesShortNames = isShort
        options.metadata = isShort ? .full : .minimal
        var writer = JSONEntityWriter(shape: FuzzModel.shape, kind: kind, options: options)
        writer.begin()
        for block in blocks { writer.write(block) }
        writer.end()
        let written = writer.takeBytes()
        if kind == .entity, !blocks.contains(where: { !$0.rows.isEmpty }) { return }
        let again = JSONEntityReader(ByteContent(written), shape: FuzzModel.shape, kind: kind)
        let rows = blocks.reduce(0) { $0 + $1.rows.count }
        precondition(
            self.blocks(of: again).map { $0.reduce(0) { $0 + $1.rows.count } } == rows,
            "\(String(decoding: written, as: UTF8.self)) is not read as it was written.")
    }

    private static func rewrite(_ body: [UInt8], type: EdmStructuredType, isUpdate: Bool) {
        let model = FuzzModel.model
        guard let payload = try? JSONPayload.entity(body, type: type, model: model, isUpdate: isUpdate) else { return }
        let written = JSONPayload.bytes(payload, type: type, model: model)
        precondition(
            (try? JSONPayload.entity(written, type: type, model: model, isUpdate: isUpdate)) != nil,
            "\(String(decoding: written, as: UTF8.self)) is refused.")
    }

    static func readV2(_ bytes: [UInt8], format: LegacyFormat) {
        guard let choice = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        let (model, shape) = (FuzzModel.model, FuzzModel.shape)
        switch choice & 7 {
        case 0, 1, 2: _ = blocks(of: format.reader(ByteContent(body), shape: shape, kind: .collection))
        case 3: _ = blocks(of: format.reader(ByteContent(body), shape: shape, kind: .entity))
        case 4: _ = try? format.entity(body, type: shape.type, model: model)
        case 5: _ = format.error(body)
        case 6: _ = try? format.value(body, type: .complex(EdmQualifiedName("F.Place")), model: model)
        default: _ = try? format.references(body)
        }
    }

    /// The blocks of a reader; nil if it refuses the payload.
    private static func blocks(of reader: any EntityReader) -> [RowBlock]? {
        let box = Box()
        let done = DispatchSemaphore(value: 0)
        Task {
            var blocks: [RowBlock] = []
            do {
                while let block = try await reader.next() { blocks.append(block) }
                let found = blocks
                box.result.withLock { $0 = found }
            } catch {}
            done.signal()
        }
        done.wait()
        return box.result.withLock { $0 }
    }

    private final class Box: Sendable {
        let result = Mutex<[RowBlock]?>(nil)
    }
}
