/// Unique names for SQLite, which compares names without regard to case.
package struct LocalNames {
    private var taken: Set<String> = []

    package init() {}

    package mutating func name(for wanted: String) -> String {
        let lowercased = wanted.lowercased()
        if !lowercased.hasPrefix("sqlite_"), taken.insert(lowercased).inserted { return wanted }
        var name = lowercased.hasPrefix("sqlite_") ? "$" + wanted : wanted
        var number = 1
        while !taken.insert(name.lowercased()).inserted {
            number += 1
            name = "\(wanted)$\(number)"
        }
        return name
    }
}
