"""Sentences of the library that carry no key yet, in the language of the person."""
