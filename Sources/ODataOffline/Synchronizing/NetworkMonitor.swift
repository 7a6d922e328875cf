import Synchronization

/// What the device's network allows.
public struct NetworkCondition: Hashable, Sendable {
    /// Whether there is a network at all.
    public var isConnected: Bool
    /// Whether it costs, or the user has asked to save data: a mobile network, a personal hotspot.
    public var isExpensive: Bool

    /// A network that is there and does not cost, if nothing else is given.
    public init(isConnected: Bool = true, isExpensive: Bool = false) {
        (self.isConnected, self.isExpensive) = (isConnected, isExpensive)
    }

    /// A network that does not cost.
    public static let connected = NetworkCondition()
    /// A network that costs.
    public static let expensive = NetworkCondition(isExpensive: true)
    /// No network.
    public static let disconnected = NetworkCondition(isConnected: false)
}

/// Reports the device's network to a ``SyncScheduler``. On Apple platforms `SystemNetworkMonitor` does;
/// elsewhere an app can report it with ``ReportedNetwork``, or use none: then only the requests show whether there is a
/// network.
public protocol NetworkMonitor: Sendable {
    /// The condition, then each change of it. Each call gives a sequence of its own.
    var conditions: AsyncStream<NetworkCondition> { get }
}

/// A network whose condition the app sets.
///
///     let network = ReportedNetwork()
///     network.condition = .disconnected
public final class ReportedNetwork: NetworkMonitor {
    private let followed: FollowedValue<NetworkCondition>

    /// A network in this condition.
    public init(_ condition: NetworkCondition = .connected) { followed = FollowedValue(condition) }

    /// The condition; a change is reported at once.
    public var condition: NetworkCondition {
        get { followed.value }
        set { followed.update { $0 = newValue } }
    }

    public var conditions: AsyncStream<NetworkCondition> { followed.values() }
}
