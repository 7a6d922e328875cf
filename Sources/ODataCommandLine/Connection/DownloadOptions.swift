import ArgumentParser

/// How a download reads entities.
struct DownloadOptions: ParsableArguments {
    @Option(help: "Entities per page to request from the service; 1000 by default.")
    var pageSize: Int?

    @Flag(help: "Take values that are not of their property's type as null, and report each, where else a query fails.")
    var badValuesAsNull = false

    func validate() throws {
        if let pageSize, pageSize < 1 { throw ValidationError("--page-size takes a number above zero.") }
    }
}
