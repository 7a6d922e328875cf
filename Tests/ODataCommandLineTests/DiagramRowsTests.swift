import Foundation
import OData
import Testing

@testable import ODataCommandLine

@Suite struct DiagramRowsTests {
    private static let strips: [(boxes: Int, breaks: [Int])] = [
        (0, []), (1, []), (5, []), (6, [3]), (8, [3, 6]), (9, [3, 6]), (10, [4, 8]),
    ]

    @Test("A long chain is wrapped, a short one is not", arguments: strips)
    func chains(boxes: Int, breaks: [Int]) {
        let lines = (0..<boxes).dropLast().map { (from: $0, to: $0 + 1) }
        let rows = DiagramRows(boxes: boxes, lines: lines)
        #expect(lines.filter { rows.isBetweenRows($0.from, $0.to) }.map(\.to) == breaks)
    }

    @Test("Loops, circles and branches are placed once")
    func circles() {
        let ring = (0..<8).map { (from: $0, to: ($0 + 1) % 8) } + [(from: 2, to: 2), (from: 0, to: 5)]
        let rows = DiagramRows(boxes: 8, lines: ring)
        #expect(ring.dropLast(3).filter { rows.isBetweenRows($0.from, $0.to) }.map(\.to) == [3, 6])
        // Boxes that stand below each other already need no wrap.
        let spine = (0..<5).map { (from: $0, to: $0 + 1) }
        let comb = spine + (0..<30).map { (from: $0 / 6, to: 6 + $0) }
        let wide = DiagramRows(boxes: 36, lines: comb)
        #expect(!comb.contains { wide.isBetweenRows($0.from, $0.to) })
    }

    private func chain(_ count: Int) throws -> EntityDiagram {
        let types = (1...count).map { number in
            EdmStructuredTypeDeclaration(
                name: EdmQualifiedName(namespace: "S", name: "Type\(number)"), key: ["ID"],
                properties: [EdmProperty(name: "ID", type: .primitive(.int32), isNullable: false)],
                navigationProperties: number == count
                    ? []
                    : [
                        EdmNavigationProperty(
                            name: "Next", target: EdmQualifiedName(namespace: "S", name: "Type\(number + 1)"),
                            isCollection: true)
                    ])
        }
        return EntityDiagram(try EdmModel(schemas: [EdmSchema(namespace: "S", types: types)]))
    }

    @Test("The image of eight types in a chain is no strip", .enabled(if: (try? Graphviz()) != nil))
    func image() throws {
        let svg = String(decoding: try Graphviz().svg(DOTDiagram(diagram: try chain(8)).text), as: UTF8.self)
        let size = try #require(svg.firstMatch(of: /<svg width="([0-9]+)pt" height="([0-9]+)pt"/)).output
        let (width, height) = (try #require(Int(size.1)), try #require(Int(size.2)))
        #expect(width < 4 * height, "\(width) × \(height)")
        #expect(svg.matches(of: /class="edge"/).count == 7)
    }

    @Test("How many entities belong to each other stands behind the names where a type refers to itself")
    func selfRelationships() throws {
        let name = EdmQualifiedName(namespace: "S", name: "Employee")
        let type = EdmStructuredTypeDeclaration(
            name: name, key: ["ID"], properties: [EdmProperty(name: "ID", type: .primitive(.int32), isNullable: false)],
            navigationProperties: [
                EdmNavigationProperty(name: "Reports", target: name, isCollection: true, partner: "Manager"),
                EdmNavigationProperty(name: "Manager", target: name, isCollection: false, partner: "Reports"),
            ])
        let diagram = EntityDiagram(try EdmModel(schemas: [EdmSchema(namespace: "S", types: [type])]))
        let text = DOTDiagram(diagram: diagram).text
        #expect(text.contains("T1 -> T1 [arrowhead=none, label=<Reports *, Manager 0..1>]"), "\(text)")
        #expect(!text.contains("taillabel") && !text.contains("headlabel"))
        // A box without marks has its name alone in its first row.
        #expect(text.contains("<td bgcolor=\"#dde8f3\"><b>Employee</b></td>"))
    }
}
