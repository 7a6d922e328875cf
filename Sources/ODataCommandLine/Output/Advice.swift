import OData

/// The second line of an error message: what to do about an error whose message does not say so.
enum Advice {
    static let credentials = "Give --user, --token-command or --header, or others."
    private static let connection =
        "Look whether the service runs and the network is there, then give the command again."

    static func line(for error: any Error) -> String? {
        switch error {
        case let error as ODataError: line(for: error)
        case let error as TransportError: line(for: error)
        case let error as QueryError: line(for: error)
        case let error as SyncInterruption: error.cause.flatMap(line)
        case let error as UploadInterruption: error.cause.flatMap(line)
        default: nil
        }
    }

    private static func line(for error: ODataError) -> String? {
        switch error.code {
        case .unauthorized: credentials
        case .keyNeeded: "Give --key-file <file>, or the file's name in ODATA_KEY_FILE."
        case .wrongKey: "Give the file with the store's own key to --key-file."
        case .metadataChanged:
            "'odata store rebuild' adopts the new metadata and keeps the requests that were "
                + "not sent."
        case .mediaNotInStore: "'odata store media list' shows where streams are; 'odata store download' fetches them."
        case .gone: "Give the command again: it reads from the start."
        case .busy: "Give the command again in a moment."
        default: error.cause.flatMap(line) ?? (error.code == .unreachable ? connection : nil)
        }
    }

    private static func line(for error: TransportError) -> String? {
        switch error.code {
        case .unreachable, .timeout, .interrupted, .truncated: connection
        case .insecure: "Look whether the URL should begin with http://, or give the certificates to trust to --cacert."
        case .credentials: credentials
        default: nil
        }
    }

    private static func line(for error: QueryError) -> String? {
        switch error.code {
        case .unknownName: "'odata metadata <service>' shows all names; they are case-sensitive."
        default: nil
        }
    }

    /// For a service that does not return metadata.
    static let serviceRoot = "Give the root of a service, the URL before /$metadata."

    /// For errors that depend on the user or the time.
    static func credentialsOnly(forStatus status: Int) -> String? {
        [404, 410].contains(status) ? nil : line(forStatus: status)
    }

    /// For a response of a service.
    static func line(forStatus status: Int) -> String? {
        switch status {
        case 401, 407: credentials
        case 403: "It does not allow that to this user. \(credentials)"
        case 404, 410: "'odata metadata <service>' and the service's root show what there is."
        case 501, 505: nil
        case 429, 500...: "Give the command again in a while."
        default: nil
        }
    }
}
