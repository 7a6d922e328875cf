/// Statements and declarations that are in one line where that is wide enough.
extension SwiftText {
    /// `opening(a, b)`; the arguments in lines of their own where one is too short.
    mutating func call(_ opening: String, _ arguments: [String], _ ending: String = "") {
        let short = "\(opening)(\(arguments.joined(separator: ", ")))\(ending)"
        guard !fits(short) else { return line(short) }
        line(opening + "(")
        indented { $0.fill(arguments, ending: ")" + ending) }
    }

    /// `opening[.init(name: "A", value: b.edm)]closing`, with a line for each member where one line is too short.
    mutating func members(_ opening: String, _ members: [(name: String, value: String)], _ closing: String) {
        let elements = members.map { ".init(name: \($0.name), value: \($0.value))" }
        let isLong = elements.contains { level * 4 + 4 + $0.count + (elements.count > 1 ? 1 : 0) > Self.width }
        guard isLong else { return list(opening, elements, closing) }
        line(opening)
        indented { text in
            for (member, element) in zip(members, elements) {
                let ending = members.count > 1 ? "," : ""
                if text.fits(element + ending) {
                    text.line(element + ending)
                } else {
                    text.call(".init", ["name: \(member.name)", "value: \(member.value)"], ending)
                }
            }
        }
        line(closing)
    }

    /// `struct Size: ComplexPropertyValue, QueryElement {`, what `body` writes, and `}`.
    mutating func type(_ opening: String, _ protocols: [String], _ body: (inout SwiftText) -> Void) {
        let short = "\(opening): \(protocols.joined(separator: ", "))"
        guard !fits(short + " {"), let first = protocols.first, protocols.count > 1 else { return block(short, body) }
        line("\(opening): \(first),")
        indented { $0.line(protocols.dropFirst().joined(separator: ", ")) }
        block("", body)
    }

    /// `left = right`, in two lines where one is too short.
    mutating func assignment(_ left: String, _ right: String) {
        let short = "\(left) = \(right)"
        guard !fits(short) else { return line(short) }
        line(left + " =")
        indented { $0.line(right) }
    }

    /// `left = function(argument)`, the argument in a line of its own where one is too short, or all behind `=`.
    mutating func assignment(_ left: String, _ function: String, _ argument: String) {
        let short = "\(left) = \(function)(\(argument))"
        if fits(short) {
            line(short)
        } else if fits("\(left) = \(function)(") {
            call("\(left) = \(function)", [argument])
        } else {
            line(left + " =")
            indented { $0.call(function, [argument]) }
        }
    }

    /// `guard let unit: String? = complex.optional("Unit") else { return nil }`, in more lines where one is too short.
    mutating func guarded(_ name: String, _ type: String, _ function: String, _ argument: String) {
        let binding = "let \(name): \(type)"
        let short = "guard \(binding) = \(function)(\(argument)) else { return nil }"
        guard !fits(short) else { return line(short) }
        line("guard")
        indented { text in
            guard !text.fits(binding + " =") else { return text.assignment(binding, function, argument) }
            text.line("let \(name):")
            text.indented { $0.assignment(type, function, argument) }
        }
        line("else { return nil }")
    }

    /// `var name: Type`, the type in a line of its own where one is too short.
    mutating func variable(_ opening: String, _ type: String) {
        let short = "\(opening): \(type)"
        guard !fits(short) else { return line(short) }
        line(opening + ":")
        indented { $0.line(type) }
    }

    /// `var name: Type {`, what `body` writes, and `}`.
    mutating func variable(_ opening: String, _ type: String, _ body: (inout SwiftText) -> Void) {
        let short = "\(opening): \(type)"
        guard !fits(short + " {") else { return block(short, body) }
        variable(opening, type)
        block("", body)
    }

    /// `var name: String { "a" }` in one line where it fits.
    mutating func property(_ opening: String, _ type: String, _ expression: String) {
        let short = "\(opening): \(type) { \(expression) }"
        if fits(short) { line(short) } else { variable(opening, type) { $0.line(expression) } }
    }

    /// `var name: Operand<String> { path.property("Name") }`, likewise.
    mutating func property(_ opening: String, _ type: String, _ function: String, _ arguments: [String]) {
        let short = "\(opening): \(type) { \(function)(\(arguments.joined(separator: ", "))) }"
        if fits(short) { line(short) } else { variable(opening, type) { $0.call(function, arguments) } }
    }

    /// `get { a }` in one line where it fits.
    mutating func accessor(_ word: String, _ body: (inout SwiftText) -> Void, short: String) {
        let short = "\(word) { \(short) }"
        if fits(short) { line(short) } else { block(word, body) }
    }

    /// `a ?? b`, the second part in a line of its own where one is too short.
    mutating func fallback(_ first: String, _ second: String) {
        let short = "\(first) ?? \(second)"
        guard !fits(short) else { return line(short) }
        line(first)
        indented { $0.line("?? " + second) }
    }

    /// `case 0: a`, what follows in a line of its own where one is too short.
    mutating func choice(_ index: Int, _ expression: String) {
        let short = "case \(index): \(expression)"
        guard !fits(short) else { return line(short) }
        line("case \(index):")
        indented { $0.line(expression) }
    }
}
