import Inspection
import OData
import ODataUI
import SwiftUI

/// A thumbnail, which is made on the device, also of a photo that was not sent yet.
struct PhotoView: View {
    @State private var image: MediaImage

    /// - Parameter pixels: The length of the longer side.
    init(_ photo: Photos, in photos: EntityCollection<Photos>, fitting pixels: Int) {
        _image = State(initialValue: MediaImage(of: photo, in: photos, fitting: pixels))
    }

    var body: some View { MediaImageView(image) }
}
