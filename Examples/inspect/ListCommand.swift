import ArgumentParser
import Foundation
import Inspection
import OData

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show inspections of work orders that are not done, most urgent first.",
        discussion: "An asterisk marks what has changes that wait for the service.")

    @OptionGroup var place: Place

    @Option(help: "How many.")
    var count = 20

    @Flag(help: "Go on, and show each change of the list.")
    var watch = false

    func run() async throws {
        try await place.reading { work in
            let inspections = work.openInspections.top(count)
            if watch { return try await follow(inspections, of: work) }
            let waiting = try await work.changedHere()
            for inspection in try await inspections.findAll() { print(line(inspection, waiting)) }
        }
    }

    /// Until the process is ended.
    private func follow(_ inspections: EntityCollection<Inspections>, of work: FieldWork) async throws {
        for await update in inspections.updates {
            let list = try update.get()
            let waiting = try await work.changedHere()
            let changed = list.difference.map { Set($0.insertions + $0.changes.map(\.to)) } ?? Set(list.indices)
            if let removed = list.difference?.removals.count, removed > 0 { print("- \(removed) removed") }
            for index in changed.sorted() { print(line(list[index], waiting)) }
            // Through a pipe, too, each change is seen when it comes.
            fflush(nil)
        }
    }

    /// `* 7031  2  Inspect welds     failed  Seal is worn  Photos(9003) Valve, Photos(9017) Pump`
    private func line(_ inspection: Inspections, _ waiting: Set<String>) -> String {
        let photos = inspection.photos ?? []
        let ids = ([inspection.entityID] + photos.map(\.entityID)).compactMap { $0 }
        let mark = waiting.isDisjoint(with: ids) ? " " : "*"
        let work = inspection.workOrder
        let columns: [String?] = [
            "\(mark) \(inspection.inspectionID)", work.map { "\($0.priority)" }, work?.title,
            inspection.result, inspection.remarks,
            photos.map { "\($0.entityID ?? "") \($0.caption ?? "")" }.joined(separator: ", "),
        ]
        return columns.map { $0 ?? "-" }.joined(separator: "  ")
    }
}
