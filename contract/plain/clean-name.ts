// Names as they are stored: without characters that make a name look like another one.

/**
 * Control characters, bidirectional overrides, zero-width and tag characters, fillers: they make a
 * name look like another one. The two variation selectors that switch a character between text and
 * emoji are visible and stay.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu

/** In NFC, one line, without invisible characters and without spaces at its ends; may be empty. */
export const cleanName = (sent: string): string =>
  // Trimmed last, because removed characters may have separated spaces.
  sent.replace(invisible, '').normalize('NFC').replace(/\s+/gu, ' ').trim()
