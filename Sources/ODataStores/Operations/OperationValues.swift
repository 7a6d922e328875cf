import ODataModel
import ODataQuery

/// A value that an operation gave, and what follows in the path.
struct ValueResult {
    var value: EdmValue
    var type: EdmTypeReference
    private var isCount = false

    init(_ value: EdmValue, _ type: EdmTypeReference) {
        self.value = value
        self.type = type
    }

    /// `/City`, `/$count`, `/$value`, `/0` after a call.
    func following(_ segments: ArraySlice<ResourcePath.Segment>) throws -> ValueResult {
        var result = self
        for segment in segments {
            switch segment {
            case .property(let property):
                guard case .complex(let complex) = result.value else { return ValueResult(.null, property.type) }
                result = ValueResult(complex[property.name] ?? .null, property.type)
            case .index(let index): result = try result.member(index)
            case .count: result.isCount = true
            case .value: break
            default: throw ODataError(.notImplemented, "This cannot follow the value of an operation.")
            }
        }
        return result
    }

    private func member(_ index: Int) throws -> ValueResult {
        guard case .collection(let values) = value, case .collection(let element) = type else {
            throw ODataError(.badRequest, "Only a collection has members.")
        }
        let position = index < 0 ? values.count + index : index
        guard values.indices.contains(position) else { throw ODataError(.notFound, "There is no member \(index).") }
        return ValueResult(values[position], element)
    }

    func result(_ options: QueryOptions) throws -> ReadResult {
        guard case .collection(var values) = value else {
            return ReadResult(value.isNull ? .nothing : .value(value, type))
        }
        guard options.filter == nil, options.orderBy.isEmpty, options.search == nil, options.apply == nil else {
            throw ODataError(.notImplemented, "Values of an operation take no $filter, $orderby, $search or $apply.")
        }
        let count = Int64(values.count)
        if isCount { return ReadResult(.count(count)) }
        values = Array(values.dropFirst(options.skip ?? 0).prefix(options.top ?? .max))
        var result = ReadResult(.value(.collection(values), type))
        if options.count { result.count = count }
        return result
    }
}

/// Entities that an operation gave as they are.
struct EntityListResult {
    var entities: [EdmEntity]
    let call: OperationCall
    let model: EdmModel

    func result(_ query: BoundQuery, rest: ArraySlice<ResourcePath.Segment>) throws -> ReadResult {
        let options = query.options
        guard options.onlyPages, options.expand.isEmpty, options.streams.isEmpty else {
            throw ODataError(
                .notImplemented, "Entities that an operation makes take $select, $top, $skip and $count only.")
        }
        let count = Int64(entities.count)
        switch rest.first {
        case nil: break
        case .count? where rest.count == 1: return ReadResult(.count(count))
        default: return try member(rest, options: options)
        }
        let shape = try RowShape.shape(of: query, model: model)
        guard call.target == .collection else {
            guard let entity = entities.first else { return ReadResult(.nothing) }
            return ReadResult(Self.rows([entity], shape: shape), etag: entity.etag)
        }
        let page = entities.dropFirst(options.skip ?? 0).prefix(options.top ?? .max)
        return ReadResult(Self.rows(Array(page), shape: shape, count: options.count ? count : nil))
    }

    private static func rows(_ entities: [EdmEntity], shape: RowShape, count: Int64? = nil) -> ReadResult.Body {
        .entities(RowBlocks([EntityRows(entities, shape: shape, count: count).block], shape: shape))
    }

    /// `/Name` and what follows, after a call that gives one entity.
    private func member(_ rest: ArraySlice<ResourcePath.Segment>, options: QueryOptions) throws -> ReadResult {
        guard call.target == .entity, let type = call.operation.result?.type else {
            throw ODataError(.notImplemented, "This cannot follow the entities of an operation.")
        }
        let value = entities.first.map { EdmValue.complex($0.properties) } ?? .null
        return try ValueResult(value, type).following(rest).result(options)
    }
}
