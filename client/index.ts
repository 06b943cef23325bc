// The library `image-host/client`: the HTTP API of an Image Host with types, for Node and browsers.
export { imageUrls, type Client, type List } from '../contract/derive/client.ts'
export type { Image, UploadedImage } from '../contract/endpoints/images.ts'
export { connect, type ConnectOptions, type ImageHost, type UploadOptions } from './connect.ts'
export { RequestFailed } from './request-failed.ts'
