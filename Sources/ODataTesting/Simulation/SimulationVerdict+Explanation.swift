/// Nothing is executed that was not requested.
extension SimulationVerdict {
    var unexplained: [String] {
        let wanted = Dictionary(grouping: changes, by: \.event)
        var parents: [String: String] = [:]
        var failures: [String] = []
        for event in events {
            defer { if event.kind == "parent" { parents[event.marker] = event.value } }
            // Jobs that are deleted leave their parts.
            if event.kind == "parent", event.value == nil, parents[event.marker].map(isDeleted) ?? false { continue }
            switch wanted[event] {
            case nil: failures.append("this was not requested: \(event)")
            case let changes? where changes.allSatisfy({ $0.fate == .undone }):
                failures.append("this was undone: \(event)")
            default: break
            }
        }
        return failures
            + state.lines.map(\.marker).filter { wanted[.init(kind: "insert", marker: $0)] == nil }
            .map { "no client has created \($0)" }
    }
}

extension SimulatedService.Event: CustomStringConvertible {
    var description: String { "\(kind) of '\(marker)'\(value.map { " '\($0)'" } ?? "")" }
}
