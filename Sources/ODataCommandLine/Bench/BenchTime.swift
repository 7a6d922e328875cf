import Foundation

/// A point in time, or the time since one: on the clock, and of the process's processors.
struct BenchTime {
    private(set) var seconds: Double
    private(set) var processorSeconds: Double

    /// Now.
    init() {
        let usage = Self.usage
        seconds = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
        processorSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    }

    /// The time since this point.
    var elapsed: BenchTime {
        var time = BenchTime()
        time.seconds -= seconds
        time.processorSeconds -= processorSeconds
        return time
    }

    /// The largest resident size of the process.
    static var peakKilobytes: Int { usage.ru_maxrss }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    private static var usage: rusage {
        var usage = rusage()
        #if os(Linux)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        return usage
    }
}
