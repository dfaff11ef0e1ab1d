"""Growing trees and drawing from them, for models of synthetic records."""
