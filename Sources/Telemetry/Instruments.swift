import CoreMetrics
import Tracing

/// The back ends for metrics and traces that the app has installed: `MetricsSystem.bootstrap`,
/// `InstrumentationSystem.bootstrap`. Without them nothing is measured.
///
/// They are looked up once, so an app installs them before it creates transports, stores and services.
package struct Instruments: Sendable {
    private let factory: (any MetricsFactory)?
    private let tracer: (any Tracer)?

    /// The back ends that are installed now.
    package init() {
        let (factory, tracer) = (MetricsSystem.factory, InstrumentationSystem.tracer)
        self.factory = factory is NOOPMetricsHandler ? nil : factory
        self.tracer = tracer is NoOpTracer ? nil : tracer
    }

    /// Whether there is a back end.
    package var isOn: Bool { factory != nil || tracer != nil }
    /// Whether there is one for metrics.
    package var hasMetrics: Bool { factory != nil }

    /// Adds `amount` to a counter.
    ///
    /// - Parameter dimensions: Names, codes and methods only, never values of entities.
    package func count(_ label: String, by amount: Int64 = 1, _ dimensions: [(String, String)] = []) {
        guard let factory, amount > 0 else { return }
        Counter(label: label, dimensions: dimensions, factory: factory).increment(by: amount)
    }

    /// Records a duration.
    package func record(_ label: String, _ duration: Duration, _ dimensions: [(String, String)] = []) {
        guard let factory else { return }
        let (seconds, attoseconds) = duration.components
        // A longer time than a century does not fit.
        let nanoseconds = min(max(seconds, 0), 1 << 32) * 1_000_000_000 + attoseconds / 1_000_000_000
        Timer(label: label, dimensions: dimensions, factory: factory).recordNanoseconds(nanoseconds)
    }

    /// Sets a value that rises and falls.
    package func set(_ label: String, to value: Int, _ dimensions: [(String, String)] = []) {
        guard let factory else { return }
        Gauge(label: label, dimensions: dimensions, factory: factory).record(value)
    }
}

extension Instruments {
    /// Runs `body` in a span, which is a part of the span that is current.
    ///
    /// - Parameters:
    ///   - name: Of the operation, without values of entities.
    ///   - fields: The headers of a request that may name the span of its client; nil for none.
    ///   - body: Gets the span, which does nothing without a back end.
    package func span<Result>(
        _ name: String, _ kind: InstrumentSpan.Kind = .local, from fields: (@Sendable (String) -> String?)? = nil,
        isolation: isolated (any Actor)? = #isolation, _ body: (InstrumentSpan) async throws -> Result
    ) async rethrows -> Result {
        guard let tracer else { return try await body(InstrumentSpan()) }
        let span = begin(name, kind, from: fields, tracer)
        defer { span.end() }
        do {
            return try await ServiceContext.$current.withValue(span.context) {
                try await body(InstrumentSpan(span: span, tracer: tracer))
            }
        } catch {
            InstrumentSpan(span: span, tracer: tracer).fail(error)
            throw error
        }
    }

    /// The same for an operation that does not wait.
    package func spanNow<Result>(
        _ name: String, _ kind: InstrumentSpan.Kind = .local, from fields: (@Sendable (String) -> String?)? = nil,
        _ body: (InstrumentSpan) throws -> Result
    ) rethrows -> Result {
        guard let tracer else { return try body(InstrumentSpan()) }
        let span = begin(name, kind, from: fields, tracer)
        defer { span.end() }
        return try ServiceContext.$current.withValue(span.context) {
            try body(InstrumentSpan(span: span, tracer: tracer))
        }
    }

    private func begin(
        _ name: String, _ kind: InstrumentSpan.Kind, from fields: (@Sendable (String) -> String?)?, _ tracer: any Tracer
    ) -> any Span {
        var context = ServiceContext.current ?? .topLevel
        if let fields { tracer.extract(FieldCarrier(field: fields), into: &context, using: FieldExtractor()) }
        return tracer.startAnySpan(name, context: context, ofKind: kind.ofTracing)
    }
}

/// A span of a trace, or nothing where no back end is installed.
package struct InstrumentSpan {
    /// Who sends and who receives.
    package enum Kind: Sendable {
        case client
        case server
        /// Within the process.
        case local

        fileprivate var ofTracing: SpanKind {
            switch self {
            case .client: .client
            case .server: .server
            case .local: .internal
            }
        }
    }

    private let span: (any Span)?
    private let tracer: (any Tracer)?

    fileprivate init(span: (any Span)? = nil, tracer: (any Tracer)? = nil) {
        (self.span, self.tracer) = (span, tracer)
    }

    /// Sets an attribute, which is not a value of an entity.
    package func set(_ name: String, to value: String?) {
        guard let span, let value else { return }
        span.attributes[name] = value
    }

    /// Sets an attribute, which is not a value of an entity.
    package func set(_ name: String, to value: Int?) {
        guard let span, let value else { return }
        span.attributes[name] = Int64(value)
    }

    /// Notes that the operation has failed. The message of an error may contain values of entities, so only its code is
    /// noted.
    package func fail(_ error: any Error) { fail(errorName(error)) }

    /// Notes that the operation has failed.
    package func fail(_ name: String) {
        span?.setStatus(SpanStatus(code: .error))
        set("error.type", to: name)
    }

    /// The headers that name the span to a service.
    package var fields: [(name: String, value: String)] {
        guard let span, let tracer else { return [] }
        var fields: [(name: String, value: String)] = []
        tracer.inject(span.context, into: &fields, using: FieldInjector())
        return fields
    }
}

/// An error with a code that names its kind and contains no value.
package protocol CodedError: Error {
    /// `unreachable`
    var codeName: String { get }
}

/// The code of an error, or the name of its type.
package func errorName(_ error: any Error) -> String {
    switch error {
    case let error as any CodedError: error.codeName
    case is CancellationError: "cancelled"
    default: "\(type(of: error))"
    }
}

private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout [(name: String, value: String)]) {
        fields.append((key, value))
    }
}

private struct FieldCarrier: Sendable {
    let field: @Sendable (String) -> String?
}

private struct FieldExtractor: Extractor {
    func extract(key: String, from carrier: FieldCarrier) -> String? { carrier.field(key) }
}
