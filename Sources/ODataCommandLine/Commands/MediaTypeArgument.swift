import ArgumentParser

/// `image/jpeg`: a media type of RFC 9110, with or without parameters.
struct MediaTypeArgument: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        let essence = argument.prefix { $0 != ";" }
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
        let isToken: (Substring) -> Bool = { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                    default: "!#$&-^_.+".utf8.contains(byte)
                    }
                }
        }
        guard parts.count == 2, parts.allSatisfy(isToken), argument.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        text = argument
    }
}
