import { type CodeFormat, codeLines, codeText } from './code-formats.ts'
import { storedLinkTarget, storedWidth } from './embed-preferences.ts'
import { type EmbeddedImage, embedSourceOf, initialAlt } from './embedded-image.ts'

/** The code of an image with the width and link that were used last. @param origin of this page */
export function embedCodeOf(format: CodeFormat, image: EmbeddedImage, origin: string): string {
  const choice = {
    width: storedWidth(image),
    isResponsive: true,
    linkTarget: storedLinkTarget(),
    fmt: format.fmt,
  }
  return codeText(codeLines(format, image, embedSourceOf(image, choice, origin), initialAlt(image)))
}
