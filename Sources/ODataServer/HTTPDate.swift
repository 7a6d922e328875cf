import Foundation
import ODataModel
import Synchronization

/// The value of `Date`, which is written once for all responses of a second.
enum HTTPDate {
    private static let last = Mutex<(second: Int64, text: String)>((.min, ""))

    static var now: String {
        let second = Int64(Date().timeIntervalSince1970)
        return last.withLock { last in
            if last.second != second {
                last = (second, EdmDateTimeOffset(secondsSinceEpoch: second).httpDate)
            }
            return last.text
        }
    }
}
