import ODataAttachments

/// Not that of the testing library.
typealias Attachment = ODataAttachments.Attachment
