extension Pattern {
    /// Whether the pattern matches anywhere in `text`; nil if that takes more than `maxWork` steps.
    func matches(_ text: String, maxWork: Int = Pattern.maxWork) -> Bool? {
        var run = PatternRun(self, Array(text.unicodeScalars), maxWork: maxWork)
        return run.isMatch()
    }
}

/// One match: the steps that are active after the text so far.
private struct PatternRun {
    private let pattern: Pattern
    private let text: [Unicode.Scalar]
    private let maxWork: Int
    private var current: [Int] = []
    private var next: [Int] = []
    /// The position at which a step was last entered, plus one.
    private var marks: [Int]
    private var pending: [Int] = []
    private var work = 0
    private var isAccepted = false

    init(_ pattern: Pattern, _ text: [Unicode.Scalar], maxWork: Int) {
        self.pattern = pattern
        self.text = text
        self.maxWork = maxWork
        marks = [Int](repeating: 0, count: pattern.steps.count)
    }

    mutating func isMatch() -> Bool? {
        for position in 0...text.count {
            if position == 0 || !pattern.flags.isSticky { enter(0, at: position) }
            if isAccepted { return true }
            guard work <= maxWork else { return nil }
            swap(&current, &next)
            next.removeAll(keepingCapacity: true)
            guard position < text.count else { break }
            advance(over: text[position], at: position)
        }
        return isAccepted
    }

    /// Follows a scalar from all steps that wait for one.
    private mutating func advance(over scalar: Unicode.Scalar, at position: Int) {
        work += current.count
        for step in current {
            if case .take(let set) = pattern.steps[step], set.contains(scalar) { enter(step + 1, at: position + 1) }
        }
        current.removeAll(keepingCapacity: true)
    }

    /// Follows a step to all that wait for a scalar, without taking one.
    private mutating func enter(_ start: Int, at position: Int) {
        pending.append(start)
        while let step = pending.popLast() {
            work += 1
            guard marks[step] != position + 1 else { continue }
            marks[step] = position + 1
            switch pattern.steps[step] {
            case .take: next.append(step)
            case .accept: isAccepted = true
            case .jump(let target): pending.append(target)
            case .split(let first, let second): pending += [second, first]
            case .test(let assertion): if holds(assertion, at: position) { pending.append(step + 1) }
            }
        }
    }

    private func holds(_ assertion: Pattern.Assertion, at position: Int) -> Bool {
        switch assertion {
        case .start: position == 0 || (pattern.flags.isMultiline && text[position - 1].isLineEnd)
        case .end: position == text.count || (pattern.flags.isMultiline && text[position].isLineEnd)
        case .wordBoundary: isWord(position - 1) != isWord(position)
        case .notWordBoundary: isWord(position - 1) == isWord(position)
        }
    }

    private func isWord(_ position: Int) -> Bool {
        text.indices.contains(position) && Pattern.CharacterSet.words.contains(text[position])
    }
}

extension Unicode.Scalar {
    fileprivate var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }
}
