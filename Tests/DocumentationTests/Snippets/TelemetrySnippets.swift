import Logging
import Metrics
import OData
import Tracing

/// The code of the article *Logs, metrics and traces*. It is compiled and not run: back ends are for a whole process, and
/// `TelemetryTests` installs them in processes of their own.
struct TelemetrySnippets {
    func backEnds(
        _ metrics: any MetricsFactory, _ tracer: any Tracer, _ folder: String, _ service: OnlineStore
    ) throws -> OfflineStore {
        // snippet: back ends
        MetricsSystem.bootstrap(metrics)
        InstrumentationSystem.bootstrap(tracer)

        var configuration = OfflineStore.Configuration()
        configuration.logger = Logger(label: "field")
        let store = try OfflineStore(folder: folder, remote: service, configuration: configuration)
        // end
        return store
    }
}
