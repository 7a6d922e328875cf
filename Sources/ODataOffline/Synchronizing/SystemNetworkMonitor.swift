#if canImport(Network)
    import Dispatch
    import Network

    /// The network as Apple's systems report it.
    ///
    /// An expensive or constrained path (Low Data Mode) is ``NetworkCondition/isExpensive``.
    public struct SystemNetworkMonitor: NetworkMonitor {
        /// Begins to watch the network with the first sequence of ``conditions``.
        public init() {}

        public var conditions: AsyncStream<NetworkCondition> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let monitor = NWPathMonitor()
                monitor.pathUpdateHandler = { path in
                    var condition = NetworkCondition(isConnected: path.status == .satisfied)
                    condition.isExpensive = path.isExpensive || path.isConstrained
                    continuation.yield(condition)
                }
                continuation.onTermination = { _ in monitor.cancel() }
                monitor.start(queue: DispatchQueue(label: "ODataOffline.SystemNetworkMonitor"))
            }
        }
    }
#endif
