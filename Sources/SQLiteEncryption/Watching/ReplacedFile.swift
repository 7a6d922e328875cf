/// A database's file, or a folder beside it, is not the one that was opened any more.
package struct ReplacedFile: Error, Hashable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// There is nothing at the path.
        case gone
        /// Another file or folder has the path.
        case replaced
        /// Another program has written other content into the file.
        case overwritten
    }

    package var path: String
    package var kind: Kind

    package init(_ path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }

    package var description: String {
        switch kind {
        case .gone: "\(path) is gone while it was open"
        case .replaced: "\(path) was replaced while it was open"
        case .overwritten: "\(path) was overwritten while it was open"
        }
    }

    /// The same without the path, which is not for clients.
    package var publicDescription: String {
        switch kind {
        case .gone: "The service's file is gone."
        case .replaced, .overwritten: "The service's file was replaced."
        }
    }
}
