import ODataModel
import ODataQuery

extension ChangePlanner {
    /// `POST Photos` with the content of a stream; `properties` are values given beside it.
    ///
    /// [OData-Protocol, section 11.4.7.1]
    mutating func createMedia(_ properties: EntityPayload?, _ request: ChangeRequest) throws {
        let place = try insertionPlace(at: request.target)
        var payload = properties ?? EntityPayload()
        let type = try types(of: place.set).new(payload, path: place.type)
        guard type.hasStream else {
            throw ODataError(.unsupportedMediaType, "\(place.set.name) does not have media entities.")
        }
        var insertion = Plan.Insertion(set: place.set, type: type, values: EdmComplexValue(), isMedia: true)
        insertion.parent = place.parent
        plan.steps.append(.insert(insertion))
        plan.subject = .inserted(0)
        plan.outcome = .created
        guard properties != nil else { return }
        guard payload.nested.isEmpty else {
            throw ODataError(.notImplemented, "A new media entity cannot have nested entities.")
        }
        payload = try rows.prepared(payload, of: place.set, isNew: false)
        var update = Plan.Update(target: .inserted(0), set: place.set, type: type)
        // Immutable values are set with the entity.
        (update.values, update.given) = try values(of: payload, type, in: place.set, row: nil)
        for name in type.key where update.values[name] != nil {
            (update.values[name], update.given[name]) = (nil, nil)
        }
        let bindings = try bindings(payload.bindings, of: place.set, type)
        update.references = bindings.own
        plan.steps.append(.update(update))
        for (navigation, target) in bindings.others { try link(.inserted(0), navigation, to: target) }
    }

    /// `PUT Photos(1)/$value`, `PUT Employees(1)/Photo`
    ///
    /// [OData-Protocol, sections 11.4.7.2 and 11.4.8.1]
    mutating func replaceStream(_ request: ChangeRequest) throws {
        let (row, property) = try streamTarget(request)
        plan.subject = .row(row)
        plan.steps.append(.replaceStream(row, property: property))
    }

    /// `DELETE Employees(1)/Photo` sets null; `DELETE Photos(1)/$value` deletes the media entity.
    mutating func deleteStream(_ request: ChangeRequest) throws {
        let (row, property) = try streamTarget(request)
        guard let property else {
            var request = request
            (request.ifMatch, request.ifNoneMatch) = (nil, nil)
            return try delete(request)
        }
        plan.subject = .row(row)
        plan.steps.append(.deleteStream(row, property: property))
        plan.outcome = .deleted
    }

    /// The stream that is changed, which must be what the request's conditions say.
    package func streamTarget(_ request: ChangeRequest) throws -> (row: Row, property: String?) {
        if case .property = request.target.target { throw ODataError.notAStream(request.target.resource.url) }
        let row = try require(request.target)
        let type = try rows.type(of: row)
        var property: String?
        if case .stream(let stream) = request.target.target { property = stream.name }
        guard property.map({ type.property(named: $0)?.isStream == true }) ?? type.hasStream else {
            throw ODataError.noStream(of: request.target.resource.url)
        }
        try checkAccess(.update, of: set(of: row))
        guard !Precondition(request).isEmpty else { return (row, property) }
        // A condition may name the ETag of the stream or of the entity.
        let own = try rows.streamETag(property, of: row)
        if let header = request.ifMatch,
            try !Precondition.matches(header, rows.etags(of: row) + [own].compactMap(\.self))
        {
            throw ODataError.changedStream(header)
        }
        try Precondition(ifMatch: nil, ifNoneMatch: request.ifNoneMatch).check([own].compactMap(\.self))
        return (row, property)
    }
}
