/// A part of a regular expression.
indirect enum PatternNode {
    case empty
    case set(Pattern.CharacterSet)
    case assertion(Pattern.Assertion)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// `x{2,5}`; without an end `x{2,}`.
    case repeated(PatternNode, least: Int, most: Int?)
}

/// Writes the steps of a pattern.
struct PatternCompiler {
    private(set) var steps: [Pattern.Step] = []

    mutating func append(_ node: PatternNode) throws(Pattern.Fault) {
        guard steps.count < Pattern.maxSteps else { throw Pattern.Fault(message: "it is too long") }
        switch node {
        case .empty: break
        case .set(let set): steps.append(.take(set))
        case .assertion(let assertion): steps.append(.test(assertion))
        case .sequence(let nodes): for node in nodes { try append(node) }
        case .alternatives(let nodes): try append(alternatives: nodes)
        case .repeated(let inner, let least, let most): try append(inner, least: least, most: most)
        }
    }

    private mutating func append(alternatives nodes: [PatternNode]) throws(Pattern.Fault) {
        var ends: [Int] = []
        for (position, node) in nodes.enumerated() {
            let split = steps.count
            let isLast = position == nodes.count - 1
            if !isLast { steps.append(.accept) }
            try append(node)
            guard !isLast else { break }
            ends.append(steps.count)
            steps.append(.accept)
            steps[split] = .split(split + 1, steps.count)
        }
        for end in ends { steps[end] = .jump(steps.count) }
    }

    private mutating func append(_ node: PatternNode, least: Int, most: Int?) throws(Pattern.Fault) {
        for _ in 0..<least { try append(node) }
        guard let most else {
            let start = steps.count
            steps.append(.accept)
            try append(node)
            steps.append(.jump(start))
            steps[start] = .split(start + 1, steps.count)
            return
        }
        var splits: [Int] = []
        for _ in least..<max(least, most) {
            splits.append(steps.count)
            steps.append(.accept)
            try append(node)
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
    }
}
