"""What pages are made of: native elements, the frame around a page, forms, charts."""
