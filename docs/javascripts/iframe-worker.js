// Search without a server. Browsers start no worker from a file: a hidden frame takes its place.
(function () {
  "use strict"
  if (location.protocol !== "file:") return

  class IFrameWorker extends EventTarget {
    constructor(url) {
      super()
      this.onmessage = null
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      this.ready = new Promise((done) => this.frame.addEventListener("load", done, { once: true }))
      const name = `iframeWorker${IFrameWorker.count++}`
      window[name] = (data) => this.hear(data)
      const script = new URL(url, document.baseURI).href.replaceAll("&", "&amp;").replaceAll('"', "&quot;")
      this.frame.srcdoc = `<!doctype html><script>
        window.postMessage = (data) => parent.${name}(data)
        window.importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise((done, fail) => {
          const script = document.createElement("script")
          script.src = url
          script.onload = done
          script.onerror = fail
          document.body.append(script)
        })), Promise.resolve())
      </${""}script><body><script src="${script}"></${""}script>`
      document.body.append(this.frame)
    }

    hear(data) {
      const event = new MessageEvent("message", { data })
      if (this.onmessage) this.onmessage(event)
      this.dispatchEvent(event)
    }

    postMessage(data) {
      this.ready.then(() => {
        const inside = this.frame.contentWindow
        inside.dispatchEvent(new inside.MessageEvent("message", { data }))
      })
    }

    terminate() {
      this.frame.remove()
    }
  }

  IFrameWorker.count = 0
  window.IFrameWorker = window.Worker = IFrameWorker
})()
