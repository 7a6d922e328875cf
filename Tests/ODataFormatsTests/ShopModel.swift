import ByteStreams
import ODataModel

@testable import ODataFormats
@testable import ODataMetadata

/// A model with every kind of property, and shapes over it.
enum ShopModel {
    static let color = EdmQualifiedName("Shop.Color")
    static let address = EdmQualifiedName("Shop.Address")

    static func make() throws -> EdmModel {
        let key = EdmProperty(name: "ID", type: .int32, isNullable: false)
        let simple: [(String, EdmPrimitiveType)] = [
            ("Name", .string), ("Stock", .int64), ("Small", .sByte), ("Level", .byte), ("Rank", .int16),
            ("Price", .decimal), ("Weight", .double), ("Old", .boolean), ("Code", .guid), ("Born", .date),
            ("Changed", .dateTimeOffset), ("Opens", .timeOfDay), ("Lasts", .duration), ("Data", .binary),
            ("Place", .geographyPoint), ("Photo", .stream),
        ]
        let product = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName("Shop.Product"), hasStream: true, key: ["ID"],
            properties: [key] + simple.map { EdmProperty(name: $0, type: .primitive($1)) } + [
                EdmProperty(name: "Color", type: .enumeration(color)),
                EdmProperty(name: "Home", type: .complex(address)),
                EdmProperty(name: "Tags", type: .collection(.string)),
            ],
            navigationProperties: [
                EdmNavigationProperty(name: "Maker", target: EdmQualifiedName("Shop.Maker"), isCollection: false),
                EdmNavigationProperty(name: "Parts", target: EdmQualifiedName("Shop.Product"), isCollection: true),
            ])
        let maker = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName("Shop.Maker"), key: ["ID"],
            properties: [key, EdmProperty(name: "Name", type: .string)],
            navigationProperties: [
                EdmNavigationProperty(name: "Products", target: EdmQualifiedName("Shop.Product"), isCollection: true)
            ])
        let address = EdmStructuredTypeDeclaration(
            kind: .complex, name: address,
            properties: [EdmProperty(name: "City", type: .string), EdmProperty(name: "Zip", type: .int64)])
        let schema = EdmSchema(
            namespace: "Shop", types: [product, maker, address],
            enumTypes: [
                EdmEnumType(
                    name: color, isFlags: true, members: [.init(name: "Red", value: 1), .init(name: "Blue", value: 2)])
            ],
            container: "Container",
            entitySets: [
                EdmEntitySetDeclaration(name: "Products", type: product.name, bindings: ["Maker": "Makers"]),
                EdmEntitySetDeclaration(name: "Makers", type: maker.name),
            ])
        return try EdmModel(schemas: [schema])
    }

    /// Products with the named properties (all if nil), their parts with ID and Name, and their makers.
    static func shape(_ names: [String]? = nil, expands: Bool = true, hidden: Int = 0) throws -> RowShape {
        let model = try make()
        guard let products = model.entitySet(named: "Products"), let makers = model.entitySet(named: "Makers") else {
            throw EdmModelError(name: "Products", message: "absent")
        }
        let type = products.type
        func properties(_ names: [String]) -> [EdmProperty] { names.compactMap { type.property(named: $0) } }
        let parts = RowShape(
            model: model, entitySet: products, type: type, properties: properties(["ID", "Name"]),
            children: [
                .init(
                    navigation: type.navigationProperties[0],
                    shape: RowShape(model: model, entitySet: makers, type: makers.type))
            ])
        let children = [
            RowShape.Child(
                navigation: type.navigationProperties[0],
                shape: RowShape(model: model, entitySet: makers, type: makers.type)),
            RowShape.Child(navigation: type.navigationProperties[1], shape: parts, wantsCount: true),
        ]
        let chosen = names.map(properties)
        return RowShape(
            model: model, entitySet: products, type: type, properties: chosen,
            hiddenFrom: chosen.map { $0.count - hidden }, children: expands ? children : [])
    }
}

extension JSONEntityReader {
    /// A reader of `text`, which arrives in chunks of `size` bytes.
    convenience init(
        _ text: String, shape: RowShape, kind: PayloadKind = .collection, chunk size: Int = 1 << 20,
        limits: PayloadLimits = .default
    ) {
        self.init(
            ByteContent(PieceSource(bytes: Array(text.utf8), size: size)), shape: shape, kind: kind, limits: limits)
    }

    func blocks() async throws -> [RowBlock] {
        var blocks: [RowBlock] = []
        while let block = try await next() { blocks.append(block) }
        return blocks
    }

    func entities() async throws -> [EdmEntity] {
        let assembler = EntityAssembler(shape: shape)
        return try await blocks().flatMap { assembler.entities(in: $0) }
    }
}

/// Bytes in chunks of a chosen size.
struct PieceSource: ByteSource {
    let bytes: [UInt8]
    let size: Int

    var length: Int64? { Int64(bytes.count) }

    func open(at offset: Int64) throws -> ByteChunks {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        for start in stride(from: Int(offset), to: bytes.count, by: size) {
            continuation.yield(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        continuation.finish()
        return ByteChunks {
            var iterator = stream.makeAsyncIterator()
            return await iterator.next()
        }
    }
}
