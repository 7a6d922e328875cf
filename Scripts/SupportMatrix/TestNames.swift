import Foundation

/// The tests of the package, as its sources tell them.
struct TestNames {
    /// `ODataSQLiteTests/ApplyTests` → its functions, each with its display name or "".
    private(set) var suites: [String: [String: String]] = [:]
    /// Sources that were not understood.
    private(set) var problems: [String] = []

    /// - Parameter folder: has a folder for each test target.
    init(folder: String) {
        let files = FileManager.default.enumerator(atPath: folder)
        while let path = files?.nextObject() as? String {
            let parts = path.split(separator: "/")
            guard path.hasSuffix(".swift"), parts.count > 1,
                let text = try? String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            else { continue }
            if !read(text, target: String(parts[0])) {
                problems.append("The braces of \(folder)/\(path) do not match.")
            }
        }
    }

    /// What a name stands for: `Target/Suite` or `Target/Suite/function`; nil where there is no such test.
    func tests(_ name: String) -> Set<String>? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        guard let functions = suites[parts.prefix(2).joined(separator: "/")] else { return nil }
        if parts.count == 3 { return functions[String(parts[2])] == nil ? nil : [name] }
        return Set(functions.keys.map { "\(name)/\($0)" })
    }

    private mutating func read(_ text: String, target: String) -> Bool {
        var tokens = SwiftTokens(text)
        // What each open brace belongs to: a type, or something else.
        var braces: [String?] = []
        var type: String?
        var display: String?
        var last = SwiftTokens.Token.sign(0)
        while let token = tokens.next() {
            switch token {
            case .word("struct"), .word("class"), .word("enum"), .word("actor"), .word("extension"):
                if last != .sign(UInt8(ascii: ".")) { type = "" }
            case .word("Test") where last == .sign(UInt8(ascii: "@")): display = ""
            case .word("func"): type = nil
            case .word(let word) where last == .word("func"):
                if let shown = display { add(word, shown, in: braces.compactMap(\.self), target: target) }
                display = nil
            case .word(let word) where type == "": type = word
            case .string(let string) where display == "" && last == .sign(UInt8(ascii: "(")): display = string
            case .sign(UInt8(ascii: "{")):
                braces.append(type.flatMap { $0.isEmpty ? nil : $0 })
                type = nil
            case .sign(UInt8(ascii: "}")):
                if braces.popLast() == nil { return false }
            default: break
            }
            last = token
        }
        return braces.isEmpty
    }

    private mutating func add(_ function: String, _ display: String, in types: [String], target: String) {
        guard !types.isEmpty else { return }
        suites["\(target)/\(types.joined(separator: "."))", default: [:]][function] = display
    }
}
