import Foundation
import PhotoFiles

/// The folder that photos come into.
struct PhotoInbox {
    let folder: String
    /// How long a file must not have changed, in seconds: a longer one may still be written.
    let settled: Double

    /// A photo in the folder, and what distinguishes it from any other.
    struct Arrival {
        let photo: PhotoFile
        /// Its name, length and time: another photo may have the name of an earlier one.
        let mark: String
        /// Whether no program seems to write to it any more.
        let isComplete: Bool
    }

    /// Those in the folder, by their names.
    func arrivals() throws -> [Arrival] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
            let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
            let keys: Set<URLResourceKey> = [.isRegularFileKey, .fileSizeKey, .contentModificationDateKey]
            guard !name.hasPrefix("."), let photo = PhotoFile(path: url.path),
                let values = try? url.resourceValues(forKeys: keys), values.isRegularFile == true,
                let length = values.fileSize, let changed = values.contentModificationDate
            else { return nil }
            return Arrival(
                photo: photo, mark: "\(name) \(length) \(changed.timeIntervalSince1970)",
                isComplete: -changed.timeIntervalSinceNow >= settled)
        }
    }

    /// Moves a photo that the store has to the folder `Taken`, under another name if there is one of its name.
    func putAway(_ photo: PhotoFile) throws {
        let taken = folder + "/Taken"
        try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
        var (place, number) = (taken + "/" + photo.name, 1)
        while FileManager.default.fileExists(atPath: place) {
            number += 1
            place = taken + "/\(number) " + photo.name
        }
        try FileManager.default.moveItem(atPath: photo.path, toPath: place)
    }

    /// Returns when moves of photos are on the disk: after a power cut none is back in the folder.
    func flush() {
        let descriptor = open(folder, O_RDONLY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
