// nginx with its module image_filter, where it is installed: an image server to compare with.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../e2e/free-port.ts'
import { type FileServer, mainDirectives, nginxPath, startOnPort, tempPathDirectives } from './file-servers.ts'

/** From Debian's libnginx-mod-http-image-filter. */
const modulePath = ['/usr/lib/nginx/modules', '/usr/lib64/nginx/modules']
  .map((folder) => join(folder, 'ngx_http_image_filter_module.so'))
  .find((path) => existsSync(path))

export const hasImageFilter = nginxPath !== undefined && modulePath !== undefined

/**
 * Starts a worker per core: each renders what it serves. Serves `/WIDTH/FILE` as JPEG.
 * @param own a folder to be created
 */
export async function startImageFilter(files: string, own: string): Promise<FileServer> {
  if (nginxPath === undefined || modulePath === undefined) throw new Error('nginx has no image_filter here')
  const port = await freePort()
  const path = join(own, 'nginx.conf')
  await mkdir(own)
  await writeFile(
    path,
    `
    load_module ${modulePath};
    ${mainDirectives(own)}
    worker_processes ${availableParallelism()};
    events { worker_connections 1024; }
    http {
      ${tempPathDirectives(own)}
      types { image/jpeg jpg; }
      access_log off;
      server {
        listen 127.0.0.1:${port} reuseport;
        location ~ ^/(?<px>[0-9]+)/(?<name>[^/]+)$ {
          alias ${files}/$name;
          image_filter resize $px $px;
          image_filter_jpeg_quality 80;
          image_filter_buffer 20M;
        }
      }
    }`,
  )
  return startOnPort(nginxPath, ['-p', own, '-e', join(own, 'errors'), '-c', path], port)
}
