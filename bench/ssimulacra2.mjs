// A worker thread that scores a picture against its reference by SSIMULACRA 2: 100 is equal, 90
// visually lossless, 70 high quality.
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { calc_s2, initSync, new_buffer, remove_buffer } from 'calc-s2-rust/calc_s2_rust.js'

const wasm = readFileSync(new URL(import.meta.resolve('calc-s2-rust/calc_s2_rust_bg.wasm')))
const { memory } = initSync(new WebAssembly.Module(wasm))
// The library prints each call.
console.log = () => {}

/** @param {string} name @param {Uint8Array} pixels RGB */
function put(name, pixels) {
  const at = new_buffer(name, pixels.length)
  new Uint8Array(memory.buffer, at, pixels.length).set(pixels)
}

parentPort?.on('message', ({ reference, image, widthPx, heightPx }) => {
  put('reference', reference)
  put('picture', image)
  const score = calc_s2('reference', 'picture', widthPx, heightPx)
  remove_buffer('reference')
  remove_buffer('picture')
  parentPort?.postMessage(score)
})
