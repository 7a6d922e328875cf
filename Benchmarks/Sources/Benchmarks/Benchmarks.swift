import ArgumentParser

/// Measurements beside what the same work costs without this package. Figures count only with `-c release`.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        subcommands: [
            FormatBenchmark.self, URLBenchmark.self, ReadBenchmark.self, SmallReadBenchmark.self, StreamBenchmark.self,
            QueueBenchmark.self,
            UploadBenchmark.self, OpenBenchmark.self, StoreBenchmark.self, LiveBenchmark.self, BytesBenchmark.self,
            MediaBenchmark.self, TypedBenchmark.self, ServiceBenchmark.self, ChangesBenchmark.self, Serve.self,
            ServeSample.self, ServeConstants.self, Device.self,
        ])
}
