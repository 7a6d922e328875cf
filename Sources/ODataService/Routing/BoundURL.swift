import ODataQuery

/// What a URL stands for, found out once for all requests with it.
struct BoundURL: Sendable {
    /// What distinguishes URLs that are written alike.
    struct Key: Hashable, Sendable {
        /// Relative to the service root.
        var url: String
        var isV2: Bool
    }

    /// In bytes: longer URLs are nearly always different ones.
    private static let longest = 512

    let resource: BoundResource
    let isFormEncoded: Bool

    /// Nil for a request whose URL does not stand for the same in every request: the ids of a batch may be in it, and
    /// where it names `$id` or `$index` the method decides.
    static func key(of request: ServiceRequest) -> Key? {
        guard request.batch == nil, request.url.utf8.count <= longest else { return nil }
        let isPlain = request.parts.options.allSatisfy { option in
            !RequestURL.isNamed(option.name, "$id") && !RequestURL.isNamed(option.name, "$index")
        }
        return isPlain ? Key(url: request.url, isV2: request.isV2) : nil
    }
}
