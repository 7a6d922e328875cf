import ArgumentParser
import ODataServer

/// How long `odata serve` waits for clients, and for how many.
struct ServeConnectionOptions: ParsableArguments {
    @Option(
        help: "The most connections; half of the files that the process may open (ulimit -n) less 128, if that is less."
    )
    var maxConnections = ServerLimits().connections

    @Option(help: "The seconds in which the TLS handshake must be done; 0 for any.")
    var handshakeTimeout = 10.0

    @Option(help: "The seconds in which the request line and the headers must arrive; 0 for no limit.")
    var headTimeout = 15.0

    @Option(help: "The seconds that a connection may be open without a request or a byte of one; 0 for any.")
    var idleTimeout = 60.0

    @Option(help: "The least bytes a second of request bodies and of reading responses, after 20 s; 0 for no limit.")
    var minRate = 500

    func validate() throws {
        guard maxConnections > 0 else { throw ValidationError("--max-connections takes a number above zero.") }
        for (name, value) in [
            ("handshake-timeout", handshakeTimeout), ("head-timeout", headTimeout), ("idle-timeout", idleTimeout),
        ] {
            guard (0...1_000_000).contains(value) else {
                throw ValidationError("--\(name) takes seconds from 0 to 1000000.")
            }
        }
        guard minRate >= 0 else { throw ValidationError("--min-rate takes 0 or a number above it.") }
    }

    var limits: ServerLimits {
        var limits = ServerLimits()
        limits.connections = maxConnections
        limits.handshakeTime = handshakeTimeout > 0 ? .seconds(handshakeTimeout) : nil
        limits.headTime = headTimeout > 0 ? .seconds(headTimeout) : nil
        limits.idleTime = idleTimeout > 0 ? .seconds(idleTimeout) : nil
        limits.byteRate = minRate > 0 ? minRate : nil
        return limits
    }
}
