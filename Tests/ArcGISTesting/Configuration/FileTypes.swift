import MediaFiles

/// Which files a service takes, and what they are.
package enum FileTypes {
    /// A service's `AllowedUploadFileTypes` by default.
    package static let usual: Set<String> = Set(
        """
        7z aif avi bmp doc docx dot ecw emf eps geodatabase gif gml gtar gz img j2k jp2 jpc jpe jpeg jpf jpg json mdb \
        mid mov mp2 mp3 mp4 mpa mpe mpeg mpg mpv2 pdf png ppt pptx ps psd qt ra ram raw rmi sid tar tgz tif tiff txt \
        vrml wav wma wmf wmv wps xls xlsx xlt xml zip
        """.split(separator: " ").map { String($0) })

    /// What an item is that was uploaded in parts, which tell nothing of that.
    static func contentType(of name: String) -> String {
        switch name.fileExtension {
        case "jpg", "jpeg", "jpe": "image/jpeg"
        case "png": "image/png"
        case "gif": "image/gif"
        case "pdf": "application/pdf"
        case "txt": "text/plain"
        case "zip": "application/zip"
        case "mp4": "video/mp4"
        default: "application/octet-stream"
        }
    }
}
