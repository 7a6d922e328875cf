import Foundation

/// Looks for words that are not written in the prose of Swift and Markdown files, and of the rows of the support matrix.
@main
struct WordCheck {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        // `-path` leaves a file or folder out.
        let omitted = arguments.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
        arguments.removeAll { $0.hasPrefix("-") }
        guard let document = arguments.first, arguments.count > 1 else {
            print("usage: WordCheck <Words.md> <file or folder> … -<file or folder to leave out> …")
            exit(2)
        }
        let rules = try WordRules(document: String(contentsOfFile: document, encoding: .utf8))
        var (files, findings) = (0, [String]())
        for path in try arguments.dropFirst().flatMap(files(at:)) where path != document {
            if omitted.contains(where: { path == $0 || path.hasPrefix("\($0)/") }) { continue }
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let passages = path.hasSuffix(".swift") ? Passage.inSwift(text) : Passage.inMarkdown(text)
            files += 1
            for passage in passages {
                findings += rules.findings(in: passage).map { "\(path):\($0)" }
            }
        }
        for finding in findings { print(finding) }
        print("\(files) files, \(findings.count) words to replace.")
        exit(findings.isEmpty && files > 0 ? 0 : 1)
    }

    /// The files with prose in a folder, or the file itself.
    private static func files(at path: String) throws -> [String] {
        guard !hasProse(path) else { return [path] }
        return try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
            .filter(hasProse).map { "\(path)/\($0)" }
    }

    private static func hasProse(_ path: String) -> Bool {
        [".swift", ".md", ".txt"].contains { path.hasSuffix($0) }
    }
}

/// The table of words that are not written: `| \`is no\` | is not a | is no longer, there is no |`
private struct WordRules {
    private struct Rule {
        var words: [Substring]
        var instead: String
        /// Phrases with the words that may be written.
        var exceptions: [[Substring]]
    }

    private var rulesByFirstWord: [Substring: [Rule]] = [:]

    init(document: String) {
        for line in document.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 3 else { continue }
            let exceptions = cells[2].split(separator: ",").map { words(in: String($0)).map(\.word) }
            for phrase in cells[0].split(separator: ",") {
                let words = words(in: phrase.replacingOccurrences(of: "`", with: "")).map(\.word)
                guard let first = words.first else { continue }
                rulesByFirstWord[first, default: []].append(
                    Rule(words: words, instead: cells[1], exceptions: exceptions))
            }
        }
    }

    /// `12: "is no": write is not a`
    func findings(in passage: Passage) -> [String] {
        let written = WordCheckWord.list(passage.text)
        var findings: [String] = []
        for index in written.indices {
            for rule in rulesByFirstWord[written[index].word] ?? [] where matches(rule.words, written, at: index) {
                guard !rule.exceptions.contains(where: { covers($0, rule.words, written, at: index) }) else { continue }
                let line = passage.line(at: written[index].offset)
                findings.append("\(line): \"\(rule.words.joined(separator: " "))\": write \(rule.instead)")
            }
        }
        return findings
    }

    private func words(in text: String) -> [WordCheckWord] { WordCheckWord.list(text) }

    private func matches(_ words: [Substring], _ written: [WordCheckWord], at index: Int) -> Bool {
        index >= 0 && index + words.count <= written.count
            && zip(words, written[index...]).allSatisfy { $0 == $1.word }
    }

    /// Whether the phrase is written around the words at `index`.
    private func covers(_ phrase: [Substring], _ words: [Substring], _ written: [WordCheckWord], at index: Int) -> Bool
    {
        phrase.indices.contains { start in
            phrase[start...].starts(with: words) && matches(phrase, written, at: index - start)
        }
    }
}

/// A word in small letters, or a mark that separates phrases.
private struct WordCheckWord {
    var word: Substring
    /// In UTF-8.
    var offset: Int

    static func list(_ text: String) -> [WordCheckWord] {
        let text = text.lowercased()
        var (list, start) = ([WordCheckWord](), String.Index?.none)
        func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            let isWord = (97...122).contains(byte) || (48...57).contains(byte) || byte == 39 || byte >= 128
            if isWord {
                if start == nil { start = index }
                continue
            }
            if let first = start { list.append(WordCheckWord(word: text[first..<index], offset: offset(first))) }
            start = nil
            if byte != 32, byte != 45 { list.append(WordCheckWord(word: text[index...index], offset: offset(index))) }
        }
        if let first = start { list.append(WordCheckWord(word: text[first...], offset: offset(first))) }
        return list
    }
}

/// Prose that is read in one go: a comment, a text in quotation marks, a paragraph. Code in it is left out.
private struct Passage {
    private(set) var text = ""
    /// The number of each line, and where it begins in the text, in UTF-8.
    private var lines: [(number: Int, offset: Int)] = []

    func line(at offset: Int) -> Int { lines.last { $0.offset <= offset }?.number ?? 0 }

    private mutating func append(_ line: Substring, number: Int) {
        lines.append((number, text.utf8.count))
        text += Passage.withoutCode(line) + " "
    }

    /// Paragraphs, and the rows of the support matrix (`@works …`); a code block is not prose, nor are the names of tests.
    static func inMarkdown(_ text: String) -> [Passage] {
        var (passages, passage, isCode, isTests) = ([Passage](), Passage(), false, false)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
            if line.first != " " { isTests = line.hasPrefix("@tests") }
            if isTests { continue }
            if isCode || line.isEmpty || ["|", "#", "@"].contains(line.first) {
                passages.append(passage)
                passage = Passage()
            }
            if !isCode { passage.append(line, number: index + 1) }
        }
        return passages + [passage]
    }

    /// Documentation comments, and texts in quotation marks that have a blank.
    static func inSwift(_ text: String) -> [Passage] {
        var (passages, comment, block, isBlock) = ([Passage](), Passage(), Passage(), false)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("///") {
                comment.append(withoutParameter(code.dropFirst(3)), number: index + 1)
                continue
            }
            if !comment.lines.isEmpty { passages.append(comment) }
            comment = Passage()
            if isBlock || code.contains("\"\"\"") {
                let text = code.hasPrefix("\"\"\"") ? "" : code.hasSuffix("\\") ? code.dropLast() : code
                if isBlock { block.append(text, number: index + 1) }
                if code.contains("\"\"\"") { isBlock.toggle() }
                if !isBlock || code.isEmpty {
                    passages.append(block)
                    block = Passage()
                }
            } else if code.contains("\""), !code.hasPrefix("//") {
                for literal in literals(in: code) where literal.contains(" ") {
                    var passage = Passage()
                    passage.append(literal, number: index + 1)
                    passages.append(passage)
                }
            }
        }
        return passages + [comment]
    }

    /// The texts in quotation marks of a line.
    private static func literals(in code: Substring) -> [Substring] {
        var (literals, start, depth, isEscaped) = ([Substring](), Substring.Index?.none, 0, false)
        for index in code.indices {
            let character = code[index]
            if isEscaped {
                isEscaped = false
                if character == "(" { depth += 1 }
            } else if depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            } else if character == "\\" {
                isEscaped = start != nil
            } else if character == "\"" {
                if let first = start { literals.append(code[first..<index]) }
                start = start == nil ? code.index(after: index) : nil
            }
        }
        return literals
    }

    /// `- Parameter told: The size.` without the name.
    private static func withoutParameter(_ line: Substring) -> Substring {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("- "), let colon = text.firstIndex(of: ":") else { return line }
        let words = text[..<colon].split(separator: " ")
        return words.count == 2 || words.dropFirst().first == "Parameter" ? text[colon...] : line
    }

    /// Code spans, interpolations and the targets of links are a backtick.
    private static func withoutCode(_ line: Substring) -> String {
        var (text, isCode, depth, last) = ("", false, 0, Character(" "))
        // `"Name"` and `\"Name\"`: names in SQL.
        for character in line.replacing(/\\?"[\w$]+\\?"/, with: "`x`") {
            if depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            } else if character == "`" {
                // ``Type/member`` is one span.
                if last != "`" { isCode.toggle() }
                if isCode, last != "`" { text += "`" }
            } else if !isCode, character == "(", last == "\\" || last == "]" {
                depth = 1
                text += "`"
            } else if !isCode {
                text.append(character)
            }
            last = character
        }
        return text
    }
}
