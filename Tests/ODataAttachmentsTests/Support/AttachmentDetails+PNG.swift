import ODataAttachments

extension AttachmentDetails {
    static func png(_ name: String) -> AttachmentDetails { AttachmentDetails(name: name, contentType: "image/png") }
}
