import Synchronization

/// The version a service answers with, learned from its first answer and sent along from then on.
///
/// Services of 4.0 may refuse `OData-Version: 4.01`; what requests carry here is valid in both.
///
/// [OData-Protocol, section 8.1.5]
final class ServiceVersion: Sendable {
    private let version = Mutex<String?>(nil)

    /// `4.0`; nil before the first answer.
    var known: String? { version.withLock { $0 } }

    /// Takes `OData-Version: 4.01` of an answer.
    func learn(_ header: String?) {
        guard let text = header?.split(separator: ";").first.map(String.init), text.hasPrefix("4.") else { return }
        version.withLock { $0 = $0 ?? text }
    }
}
