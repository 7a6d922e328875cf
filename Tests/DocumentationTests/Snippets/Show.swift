/// Stands in the articles for what an app does with a value.
func show(_ values: Any?...) {}
