import OData

/// Prints the results of a live query, a line of JSON for each difference: the entities of the first one as added.
///
///     {"change":"added","to":0,"entity":{"@odata.id":"Orders(1)",…}}
///     {"change":"removed","from":3,"id":"Orders(4)"}
///     {"change":"moved","from":1,"to":4,"id":"Orders(2)"}
///     {"change":"changed","from":1,"to":1,"entity":{…}}
///     {"change":"value","value":5}
///     {"change":"error","code":"notFound","message":"…"}
struct LiveLines {
    let model: EdmModel
    private var before: [EdmEntity] = []

    init(model: EdmModel) {
        self.model = model
    }

    mutating func print(_ result: Result<LiveResult, ODataError>) {
        switch result {
        case .success(let result): print(result)
        case .failure(let error):
            writeLine("error", [("code", json(.string(error.code.name))), ("message", json(.string(error.message)))])
        }
    }

    private mutating func print(_ result: LiveResult) {
        switch result.content {
        case .entities(let entities): print(entities, result.difference ?? LiveDifference(from: before, to: entities))
        case .value(let value): writeLine("value", [("value", json(value))])
        case .count(let count): writeLine("value", [("value", "\(count)")])
        case .nothing: writeLine("value", [("value", "null")])
        }
        before = result.entities
    }

    private func print(_ entities: [EdmEntity], _ difference: LiveDifference) {
        for from in difference.removals { writeLine("removed", [("from", "\(from)"), ("id", id(of: before[from]))]) }
        for to in difference.insertions { writeLine("added", [("to", "\(to)"), ("entity", json(entities[to]))]) }
        for step in difference.moves {
            writeLine("moved", [("from", "\(step.from)"), ("to", "\(step.to)"), ("id", id(of: entities[step.to]))])
        }
        for step in difference.changes {
            writeLine("changed", [("from", "\(step.from)"), ("to", "\(step.to)"), ("entity", json(entities[step.to]))])
        }
    }

    private func writeLine(_ change: String, _ members: [(name: String, json: String)]) {
        let text = members.map { ",\"\($0.name)\":\($0.json)" }.joined()
        Console.write("{\"change\":\"\(change)\"\(text)}")
    }

    private func id(of entity: EdmEntity) -> String { json(entity.id.map(EdmValue.string) ?? .null) }

    private func json(_ value: EdmValue) -> String { String(decoding: value.jsonText, as: UTF8.self) }

    private func json(_ entity: EdmEntity) -> String {
        String(decoding: JSONPayload.bytes(entity: entity, model: model), as: UTF8.self)
    }
}
