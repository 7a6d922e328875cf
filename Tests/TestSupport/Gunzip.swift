import ODataTransport

/// The bytes of a gzip file.
package func gunzipped(_ bytes: [UInt8]) throws -> [UInt8] {
    let inflater = Inflater(.gzip)
    var decoded: [UInt8] = []
    inflater.add(bytes)
    while let piece = try inflater.next() { decoded += piece }
    try inflater.finish()
    return decoded
}
