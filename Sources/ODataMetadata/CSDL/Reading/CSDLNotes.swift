import ODataModel

/// Where something is in a document. Lines and columns count from 1.
struct CSDLPlace: Hashable {
    var line: Int
    var column: Int
}

/// What there is to say about a document, and where its declarations stand.
struct CSDLNotes {
    private var notes: [(place: CSDLPlace, message: String)] = []
    private var places: [String: CSDLPlace] = [:]
    /// Where the members of a type stand: asked for where there is something to report.
    private var members: [String: (String) -> CSDLPlace?] = [:]

    /// With the namespace of the schema before them.
    private var containerMembers: Set<String> = []

    /// So many are kept: a document that is wrong all through needs no more.
    private static let maximum = 10_000

    mutating func add(_ message: String, at place: CSDLPlace) {
        if notes.count < Self.maximum { notes.append((place, message)) }
    }

    /// Remembers where the members of the type `name` can be found.
    mutating func declare(membersOf name: String, _ place: @escaping (String) -> CSDLPlace?) { members[name] = place }

    /// Remembers where `name` is declared: `Model.Product`, `Products`.
    ///
    /// - Returns: Whether it is the first time; if not, a diagnostic is added.
    @discardableResult
    mutating func declare(_ name: String, at place: CSDLPlace) -> Bool {
        guard places[name] == nil else {
            add("\(name) is declared twice.", at: place)
            return false
        }
        places[name] = place
        return true
    }

    /// As ``declare(_:at:)`` for a member of the container of the schema `namespace`.
    mutating func declare(_ name: String, in namespace: String, at place: CSDLPlace) -> Bool {
        guard containerMembers.insert("\(namespace)/\(name)").inserted else {
            add("\(name) is declared twice.", at: place)
            return false
        }
        if places[name] == nil { places[name] = place }
        return true
    }

    /// Adds what compiling the declarations showed.
    mutating func add(_ problems: [EdmModelError]) {
        for problem in problems { add(problem.message, at: place(of: problem.name)) }
    }

    /// Of `Model.Product/Category` or `Products`.
    private func place(of name: String) -> CSDLPlace {
        if let place = places[name] { return place }
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2, let place = members[parts[0]]?(parts[1]) ?? places[parts[0]] { return place }
        return CSDLPlace(line: 1, column: 1)
    }

    /// In the order of the document.
    var diagnostics: [DocumentDiagnostic] {
        notes.enumerated().sorted { left, right in
            (left.element.place.line, left.element.place.column, left.offset)
                < (right.element.place.line, right.element.place.column, right.offset)
        }.map {
            DocumentDiagnostic(
                message: $0.element.message, line: $0.element.place.line, column: $0.element.place.column)
        }
    }
}
