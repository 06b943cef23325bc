// Builds files that are an image to one parser and a script or a page to another.
import sharp from 'sharp'
import {
  gifExtension,
  gifFrame,
  handGif,
  insertAt,
  jpegSegment,
  photo,
  png,
} from '../server/imaging/testing/hand-made-images.ts'

export interface Polyglot {
  name: string
  file: Buffer
}

const text = (content: string) => Buffer.from(content, 'latin1')

/** @param script JavaScript that does not contain the characters '*' and '/' in sequence */
export async function polyglots(script: string): Promise<Polyglot[]> {
  const html = `<html><body><script>${script}</script><img src=x onerror="${script.replaceAll('"', "'")}">`
  const [jpeg, image, webp, lossless] = await Promise.all([
    photo(64, 48).jpeg().toBuffer(),
    photo(64, 48).png().toBuffer(),
    photo(64, 48).webp().toBuffer(),
    photo(64, 48).webp({ lossless: true }).toBuffer(),
  ])
  return [
    // As a script: GIF89a/*…*/=1; followed by any code. The width encodes '/*'.
    { name: 'GIF and script, behind its end', file: Buffer.concat([slashStar(), text(`*/=1;${script}`)]) },
    { name: 'GIF and script, in a comment', file: insertAt(slashStar(), 19, gifExtension(0xfe, `*/=1;${script};/*`)) },
    { name: 'GIF and script, behind the pixels', file: insertAt(slashStar(), 19, hiding(text(`*/=1;${script};/*`))) },
    { name: 'JPEG and page, in a comment', file: insertAt(jpeg, 2, jpegSegment(0xfe, html)) },
    { name: 'JPEG and page, in the EXIF', file: insertAt(jpeg, 2, jpegSegment(0xe1, `Exif\0\0${html}`)) },
    { name: 'JPEG and page, behind its end', file: Buffer.concat([jpeg, text(html)]) },
    { name: 'JPEG and page, before its end', file: insertAt(jpeg, jpeg.length - 2, text(html)) },
    { name: 'PNG and page, in a text', file: insertAt(image, 33, png('tEXt', `Comment\0${html}`)) },
    { name: 'PNG, ZIP and page, behind its end', file: Buffer.concat([image, text(`PK\x03\x04${html}PK\x05\x06`)]) },
    { name: 'PNG and page, in its data', file: insertAt(image, image.length - 12, png('IDAT', html)) },
    { name: 'PNG and PHP', file: insertAt(image, 33, png('tEXt', `<?php ?>\0<script>${script}</script>`)) },
    { name: 'WebP and script, behind its end', file: Buffer.concat([webp, text(`*/=1;${script}`)]) },
    { name: 'WebP and page, in a chunk', file: inRiff(webp, chunk('XMP ', text(html))) },
    { name: 'WebP and page, behind its pixels', file: longerBitstream(webp, text(html)) },
    { name: 'WebP and page, behind its lossless pixels', file: longerBitstream(lossless, text(html)) },
    { name: 'JPEG that says it is a page', file: Buffer.concat([jpeg, text(`--><!doctype html>${html}`)]) },
    { name: 'AVIF', file: await sharp(jpeg).avif({ effort: 0 }).toBuffer() },
    { name: 'page that starts like a GIF', file: text(`GIF89a${html}`) },
    { name: 'page that starts like a PNG', file: Buffer.concat([image.subarray(0, 8), text(html)]) },
    { name: 'page', file: text(`<!doctype html>${html}`) },
    { name: 'script', file: text(script) },
    { name: 'PDF', file: text(`%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(${script})>>>>endobj`) },
  ]
}

/** 10,799 x 1: bytes 2f 2a 01 00. */
const slashStar = () => handGif(0x2a2f, 1, 1)

/** Builds a frame with a sub-block after its end code. */
function hiding(bytes: Buffer): Buffer {
  const frame = gifFrame()
  return Buffer.concat([frame.subarray(0, -1), Buffer.from([bytes.length]), bytes, Buffer.from([0])])
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

function inRiff(file: Buffer, ...chunks: Buffer[]): Buffer {
  const longer = Buffer.concat([file, ...chunks])
  longer.writeUInt32LE(longer.length - 8, 4)
  return longer
}

/** Appends bytes to the only chunk of a plain WebP, after its coded pixels. */
const longerBitstream = (file: Buffer, more: Buffer) =>
  inRiff(file.subarray(0, 12), chunk(file.toString('latin1', 12, 16), Buffer.concat([file.subarray(20), more])))
