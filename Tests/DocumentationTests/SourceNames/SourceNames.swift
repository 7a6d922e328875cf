/// The public calls and callbacks of an SDK that a page is for, by their names alone: gathered from its headers and
/// guides, so that none of them is forgotten when the page is written.
///
/// A name of which the SDK has several stands with its owner: `SODataEntitySet.count`.
struct SourceNames: Sendable, CustomStringConvertible {
    /// The page, without folder and ending.
    var page: String
    var names: [String]

    var description: String { page }
    /// The page, relative to the root.
    var document: String { "Sources/OData/OData.docc/\(page).md" }

    static let all = [
        SourceNames(page: "ComingFromSMP", names: smp),
        SourceNames(page: "ComingFromBTP", names: btp),
        SourceNames(page: "ComingFromMBO", names: mbo),
        SourceNames(page: "ComingFromPOSInputStream", names: pos),
        SourceNames(page: "ComingFromArcGIS", names: arcGIS),
    ]
}
