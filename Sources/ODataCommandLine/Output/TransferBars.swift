import OData

/// The transfers that run, each as a bar with its path.
///
///     [##########--------------------]  34% of 12.4 MB  Photos(1)
struct TransferBars {
    /// In the order they began.
    private var running: [TransferSnapshot] = []

    mutating func note(_ transfer: TransferSnapshot) {
        let place = running.firstIndex { $0.id == transfer.id }
        switch (place, transfer.state == .running) {
        case (let place?, true): running[place] = transfer
        case (let place?, false): running.remove(at: place)
        case (nil, true): running.append(transfer)
        case (nil, false): break
        }
    }

    /// - Parameter width: How many characters a line of the terminal has: a longer one could not be written over.
    func lines(width: Int) -> [String] {
        running.map { transfer in
            let bar = ProgressBar.line(transfer.acknowledged, of: transfer.total)
            return String("\(bar)  \(transfer.path)".prefix(max(1, width - 1)))
        }
    }
}
