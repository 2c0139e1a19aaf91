var htmx=(()=>{const e={parse(t){if(!t)return{};if(t.startsWith("{"))return JSON.parse(t);let r=/(?:"([^"]+)"|'([^']+)'|([^\s,:]+))(?:\s*:\s*(?:"([^"]*)"|'([^']*)'|<((?:[^/]|\/(?!>))+)\/>|([^\s,]+)))?(?=\s|,|$)/g,i={};for(let s of t.matchAll(r)){let[,t,r,n,o,a,l,h]=s,c=t??r??n,u=(o??a??l??h??"true").trim();try{u=JSON.parse(u)}catch{}let d=n?.includes("."),f=d?c.split(".").reduceRight((e,t)=>({[t]:e}),u):{[c]:u};e.merge(f,i)}return i},split:e=>e.split(/,(?![^\[]*\])(?![^(]*\))(?![^<]*\/>)(?=(?:[^"']|"[^"]*"|'[^']*')*$)/),merge(t,r){"string"==typeof t&&(t=e.parse(t));for(let[i,s]of Object.entries(t)){if(["__proto__","constructor","prototype"].includes(i))continue;let t=s?.constructor===Object,n=r[i]?.constructor===Object;t&&n?e.merge(s,r[i]):r[i]=s}return r}};class t{#e=null;#t=[];admit(e,t,r){if(!this.#e)return this.#e={strategy:e,abort:r},"run";if("replace"===e||"abort"!==e&&"abort"===this.#e.strategy)return this.#t=[],this.#e.abort?.(),this.#e={strategy:e,abort:r},"run";if("queue all"===e)this.#t.push(t);else if("queue last"===e)this.#t=[t];else{if("abort"===e||"drop"===e||0!==this.#t.length)return"dropped";this.#t.push(t)}return"queued"}continue(e){this.#e?.abort===e&&(this.#e=null,this.#t.shift()?.())}abort(){this.#e?.abort?.()}}return new class{#r=e;#i=new Map;#s="";#n=new Set;_loc=window.location;#o;#a=Function;#l=Object.getPrototypeOf(async function(){}).constructor;#h={createHTML:e=>e,createScript:e=>e};#c;#u="a,form";#d=["get","post","put","patch","delete","query"];#f;#m;#p;#g;#x;constructor(){this.#b(),this.#y(),this.#c=this.#S("[hx-action],[hx-get],[hx-post],[hx-put],[hx-patch],[hx-delete],[hx-query]"),this.#f=(new XPathEvaluator).createExpression(`.//*[@*[${this.#v("hx-on").map(e=>`starts-with(name(), "${e}")`).join(" or ")}]]`),this.#o={HCON:e,attributeValue:this.#E.bind(this),parseTriggerSpecs:this.#w.bind(this),determineMethodAndAction:this.#A.bind(this),createRequestContext:this.#T.bind(this),collectFormData:this.#C.bind(this),getAttributeObject:this.#q.bind(this),insertContent:this.#N.bind(this),morph:this.#I.bind(this),isSoftMatch:this.#M.bind(this),initSecurity:(e,t,r)=>{e&&(this.#h=e),t&&(this.#a=t),r&&(this.#l=r)},onTrigger:this.#O.bind(this),htmxProp:this.#H.bind(this),triggerHtmxEvent:this.#L.bind(this),executeJavaScript:this.#k.bind(this)};let t=()=>this.initialize();"loading"===document.readyState?document.addEventListener("DOMContentLoaded",t):setTimeout(t)}#b(){this.version="4.0.1",this.config={logAll:!1,prefix:"data-hx-",transitions:!1,history:!0,mode:"same-origin",defaultSwap:"innerHTML",defaultFocusScroll:!1,indicatorClass:"htmx-indicator",requestClass:"htmx-request",includeIndicatorCSS:!0,defaultTimeout:6e4,extensions:"",morphIgnore:["data-htmx-powered"],morphSkip:"[hx-morph-skip]",morphSkipChildren:"[hx-morph-skip-children]",morphScanLimit:10,noSwap:[204,304],implicitInheritance:!1,defaultSettleDelay:1,allowEmptySwapAfterOOB:!1};let t=document.querySelector('meta[name="htmx-config"]');t&&e.merge(t.content,this.config),this.#s=this.config.extensions}#y(){if(!1!==this.config.includeIndicatorCSS){let e=this.config.indicatorClass,t=this.config.requestClass;try{this.indicatorStyleSheet=new CSSStyleSheet,this.indicatorStyleSheet.replaceSync(`.${e}{opacity:0;visibility: hidden} .${t} .${e}, .${t}.${e}{opacity:1;visibility: visible;transition: opacity 200ms ease-in}`),document.adoptedStyleSheets.push(this.indicatorStyleSheet)}catch{}}}registerExtension(e,t){return!(this.#s&&!this.#s.split(/,\s*/).includes(e))&&(!this.#n.has(e)&&(this.#n.add(e),t.init&&t.init(this.#o),void Object.entries(t).forEach(([e,t])=>{this.#i.get(e)?.push(t)||this.#i.set(e,[t])})))}#V(e){let t=this.config.prefix;return!e.closest||null!=e.closest("[hx-ignore]")||t&&null!=e.closest(`[${t}ignore]`)}#P(e,t){let r=this.config.prefix;return e.getAttribute(t)??(r?e.getAttribute(t.replace("hx-",r)):null)}#R(e,t){let r=this.config.prefix&&t.replace("hx-",this.config.prefix);return e.hasAttribute(t)?t:r&&e.hasAttribute(r)?r:null}#S(e){return this.#v(e).join(",")}#v(e){let t=[e];return this.config.prefix&&t.push(e.replaceAll("hx-",this.config.prefix)),t}#j(e,t){let r=[...e.querySelectorAll?.(t)??[]];return e.matches?.(t)&&r.unshift(e),r}#B(e){return"before"===e?"beforebegin":"after"===e?"afterend":"prepend"===e?"afterbegin":"append"===e?"beforeend":e}#z(e,t){let r=[];return this.#E(e,t,void 0,(e,t)=>{e?.split(/\s*[,:]\s*/).includes("this")&&r.push(t)}),r}#E(e,t,r,i,s=this.config.implicitInheritance){t=this.#F(t);let n=this.#F(":inherited"),o=this.#F(":append"),a=this.#P(e,t)??this.#P(e,t+n);if(null!=a)return i?i(a,e):a;let l=CSS.escape(s?t:t+n),h=CSS.escape(t+n+o),c=this.#S(`[${l}],[${h}]`),u=this.#R(e,t+o)??this.#R(e,t+n+o);if(u){let r=e.getAttribute(u),n=e.parentNode?.closest?.(c);if(i&&i(r,e),n){let e=this.#E(n,t,void 0,i,s);return e?(e+","+r).replace(/[{}]/g,""):r}return r}let d=e.parentNode?.closest?.(c);return d?(a=this.#E(d,t,void 0,i),!i&&a&&s&&this.#$(e,"htmx:after:implicitInheritance",{elt:e,name:t,parent:d}),a):r}#w(t){return e.split(t).flatMap(t=>{t=t.replace(/^\s*every\s+(\S+?)\s*(\[[^\]]*\])/,"every$2 $1");let[,r,i]=t.match(/^\s*(\S+\[[^\]]*\]|\S+)\s*(.*?)\s*$/)??[];if(!r)return[];if(/\[[^\]]*$/.test(r))throw"unterminated:"+r;return[{name:r,...e.parse(i)}]})}#A(e,t){let r=this.#E(e,"hx-method"),i=this.#E(e,"hx-action",void 0,void 0,!1);if(!i)for(let t of this.#d){let s=this.#E(e,"hx-"+t,void 0,void 0,!1);if(null!=s){i=s,r=t;break}}return this.#D(e)&&(i||=t.submitter?.getAttribute?.("formAction")||e.getAttribute(e.matches("a")?"href":"action")),r||=t.submitter?.getAttribute?.("formmethod")||e.getAttribute("method")||"GET",{action:i,method:r.toUpperCase()}}#H(e){return e._htmx||(e._htmx={listeners:[],triggerSpecs:[]},e.setAttribute("data-htmx-powered","true")),e._htmx}#W(e){return e._htmx_state||={}}#_(e){if(this.#U(e)&&this.#L(e,"htmx:before:init",{},!0)){let t=this.#H(e);t.initialized=!0,t.eventHandler=this.#Q(e),this.#J(e),this.#L(e,"htmx:after:init",{},!0)}}#Q(e){return async t=>{try{let r=this.#T(e,t);await this.#X(r)}catch(t){this.#L(e,"htmx:error",{error:t})}}}#T(t,r){let{action:i,method:s}=this.#A(t,r),[n,o]=(i||"").split("#"),a=new AbortController,l={sourceElement:t,sourceEvent:r,status:"created",select:this.#E(t,"hx-select"),selectOOB:this.#E(t,"hx-select-oob"),target:this.#E(t,"hx-target"),swap:this.#E(t,"hx-swap")??this.config.defaultSwap,push:this.#E(t,"hx-push-url"),replace:this.#E(t,"hx-replace-url"),transition:this.config.transitions,confirm:this.#E(t,"hx-confirm"),request:{validate:"true"===this.#E(t,"hx-validate",!t.matches("form")||t.noValidate||r.submitter?.formNoValidate?"false":"true",void 0,!1),action:n,anchor:o,method:s,headers:this.#G(t),abort:a.abort.bind(a),credentials:"same-origin",signal:a.signal,mode:this.config.mode}};t._htmx?.boosted&&e.merge(t._htmx.boosted,l),l.target=this.#K(t,l.target),l.target&&(l.request.headers["HX-Target"]=this.#Y(l.target));let h=this.#E(t,"hx-config");return h&&(e.merge(h,l.request),l.request.mode=this.config.mode),l}#Y(e){return`${e.tagName.toLowerCase()}${e.id?"#"+encodeURI(e.id):""}`}#G(e){let t={"HX-Request":"true","HX-Source":this.#Y(e),"HX-Current-URL":location.href,Accept:"text/html"};return this.#D(e)&&(t["HX-Boosted"]="true"),t}#Z(e,t){return this.#q(e,"hx-headers",e=>{for(let r in e)t.request.headers[r]=String(e[r])},{ctx:t})}#K(e,t){return t instanceof Element?t:null!=t?this.#ee(e,t,"hx-target"):this.#D(e)?document.body:e}#D(e){return e?._htmx?.boosted}async#X(e){let t=e.sourceElement,r=e.sourceEvent;if(!t.isConnected)return;if(this.#te(r))return;this.#re(r)&&r.preventDefault();let i=/GET|DELETE/.test(e.request.method),s=i?t.matches("form")?t:null:t.form||t.closest("form"),n=this.#C(t,s,r.submitter,e.request.validate,i);if(!n)return;let o=this.#q(t,"hx-vals",t=>{e.vals=t;for(let e in t)n.set(e,t[e])},{ctx:e});if(o&&await o,e.values)for(let t in e.values)n.delete(t),n.append(t,e.values[t]);let a=this.#Z(t,e);if(a&&await a,Object.assign(e.request,{form:s,submitter:r.submitter,body:n}),!this.#L(t,"htmx:config:request",{ctx:e}))return;if("DIALOG"===e.request.method)return;let l=this.#ie(e.request.action);if(null!=l){let t=Object.fromEntries(e.request.body);return void await this.#k(e.sourceElement,t,l,!1)}if(i){let t=new URL(e.request.action,document.baseURI);for(let r of e.request.body.keys())t.searchParams.delete(r);for(let[r,i]of e.request.body)t.searchParams.append(r,i);t.origin===location.origin?e.request.action=t.pathname+t.search:e.request.action=t.href,e.request.body=null}else"multipart/form-data"!==(this.#E(t,"hx-encoding")??s?.enctype)&&(e.request.body=new URLSearchParams(e.request.body));await this.#se(e)}async#se(e){let t=e.sourceElement,r=this.#ne(t),i=this.#oe(t);this.#ae(t);let s=()=>e.request?.abort?.();if("run"===i.admit(r,()=>this.#se(e),s)){e.status="issuing",e.indicators??=[],e.disabledElements??=[];try{if(e.confirm){if(!await new Promise(r=>{let i={ctx:e,issueRequest:()=>r(!0),dropRequest:()=>r(!1)};if(this.#L(t,"htmx:confirm",i)){let i=this.#ie(e.confirm);r(i?this.#k(t,{ctx:e},i,!0):window.confirm(e.confirm))}}))return}if(this.#le(e),this.#he(e),this.#ce(e),e.fetch||=window.fetch.bind(window),e.request.headers["HX-Request-Type"]=e.target===document.body||e.select?"full":"partial",!this.#L(t,"htmx:before:request",{ctx:e}))return;let r=await e.fetch(e.request.action,e.request);if(e.response={raw:r,status:r.status,headers:r.headers},this.#ue(e),!this.#L(t,"htmx:before:response",{ctx:e}))return;if(e.text=await r.text(),!this.#L(t,"htmx:after:request",{ctx:e}))return;if(e.response.status>=400&&this.#L(t,"htmx:response:error",{ctx:e}),this.#de(e))return void(e.keepIndicators=!0);if("issuing"===e.status){if(e.hx.retarget&&(e.target=e.hx.retarget),e.hx.reswap&&(e.swap=e.hx.reswap),e.hx.reselect&&(e.select=e.hx.reselect),!1===e.target?.isConnected)return;e.status="response received",this.#fe(e),await this.swap(e),e.status="swapped"}}catch(r){e.status="error: "+r,"AbortError"===r?.name&&"timeout"!==e.request.signal.reason||this.#L(t,"htmx:error",{ctx:e,error:r})}finally{await(e.extensionPromise?.catch(()=>{})),clearTimeout(e.requestTimeout),e.hx?.trigger&&this.#me(e.hx.trigger,e.sourceElement),this.#L(t,"htmx:finally:request",{ctx:e}),e.keepIndicators||(this.#pe(e.indicators),this.#ge(e.disabledElements)),i.continue(s)}}}#ue(e){e.hx={};for(let[t,r]of e.response.raw.headers)t.toLowerCase().startsWith("hx-")&&(e.hx[t.slice(3).toLowerCase().replace(/-/g,"")]=r)}#de(t){if("true"===t.hx.refresh)return this._loc.reload(),!0;if(t.hx.redirect)return this._loc.href=t.hx.redirect,!0;if(t.hx.location){let r=t.hx.location,i={},s=e.parse(r);return"{"!==r[0]&&null==s.path||(i=s,r=i.path,delete i.path),null==i.push&&null==i.replace&&(i.push="true"),i.indicators=t.indicators,i.disabledElements=t.disabledElements,this.ajax("GET",r,i),!0}}#le(e){let t=null!=e.request.timeout?this.parseInterval(e.request.timeout):this.config.defaultTimeout;t&&(e.requestTimeout=setTimeout(()=>e.request?.abort?.("timeout"),t))}#ne(e){let t=this.#E(e,"hx-sync");if(!t)return"queue first";let r=t.split(":").pop().trim();return/^(drop|abort|replace|queue)/.test(r)?r:"queue first"}#oe(e){let r=this.#E(e,"hx-sync"),i=e;if(r){let t=r.includes(":")?r.slice(0,r.lastIndexOf(":")).trim():/^(drop|abort|replace|queue)/.test(r)?null:r;t&&(i=this.#ee(e,t,"hx-sync")||e)}return this.#W(i).rq||=new t}#te(e){return"click"===e.type&&(e.ctrlKey||e.metaKey||e.shiftKey)&&!!e.currentTarget?.closest?.("a[href]")}#re(e){let t=e.currentTarget;if("submit"===e.type&&"FORM"===t?.tagName)return!0;if(!("click"===e.type&&0===e.button))return!1;let r=t?.closest?.('button, input[type="submit"], input[type="image"]'),i=r?.form||r?.closest("form");if(r&&!r.disabled&&i&&("submit"===r.type||"image"===r.type||!r.type&&"BUTTON"===r.tagName))return!0;let s=t?.closest?.("a");if(!s||!s.href)return!1;let n=s.getAttribute("href");return!(n&&n.startsWith("#")&&n.length>1)}#J(e,t=e._htmx.eventHandler){let r=this.#E(e,"hx-trigger",void 0,void 0,!1)||(e.matches("form")?"submit":e.matches("input:not([type=button]):not([type=submit]),select,textarea")?"change":"click");this.#O(e,r,t)}#O(e,t,r){let i=this.#w(t);this.#H(e).triggerSpecs.push(...i);for(let t of i){t.listeners=[];let[i,s]=this.#xe(t.name),n=[e];"outside"===t.from?n=[document]:t.from&&"self"!==t.from&&(n=this.#be(e,t.from));let o=i=>{if((t.halt||t.prevent)&&i.preventDefault(),(t.halt||t.stop||t.consume)&&i.stopPropagation(),t.changed){let t=this.#W(e).changedValues??=new WeakMap,r=i.target;if(!["checkbox","radio"].includes(r?.type)){let e=r?.value;if(t.has(r)&&t.get(r)===e)return;t.set(r,e)}}if(t.once)for(let e of t.listeners)e.fromElt.removeEventListener(e.eventName,e.handler,e);r(i)},a=o;if(t.delay?a=e=>{clearTimeout(t.timeout),t.timeout=setTimeout(()=>o(e),this.parseInterval(t.delay))}:t.throttle&&(a=e=>{t.throttled?t.throttledEvent=e:(t.throttled=!0,o(e),t.throttleTimeout=setTimeout(()=>{if(t.throttled=!1,t.throttledEvent){let e=t.throttledEvent;t.throttledEvent=null,a(e)}},this.parseInterval(t.throttle)))}),t.handler=r=>{if(this.#re(r)&&r.preventDefault(),("self"!==t.from||r.target===e)&&("outside"!==t.from||!e.contains(r.target))&&(!t.target||r.target?.matches?.(t.target))){if(s){let t={};for(let e in r)/^[a-z]+$/i.test(e)&&(t[e]=r[e]);if(!this.#k(e,t,s,!0,!1))return}if("every"!==i)for(let t of this.#H(e).triggerSpecs)clearTimeout(t.timeout),t.throttledEvent=null;a(r)}},"intersect"===i||"revealed"===i){let r={rootMargin:t.rootMargin};t.root&&(r.root=this.#ee(e,t.root)),t.threshold&&(r.threshold=parseFloat(t.threshold));let s="revealed"===i;t.observer=new IntersectionObserver(e=>{for(let r=0;r<e.length;r++)if(e[r].isIntersecting){this.trigger(e[r].target,"intersect",{},!1),s&&t.observer.disconnect();break}},r),i="intersect";for(let e of n)t.observer.observe(e)}if("every"===i){let r=Object.keys(t).find(e=>"name"!==e);t.interval=setInterval(()=>{e.isConnected?this.#L(e,"every",{},!1):clearInterval(t.interval)},this.parseInterval(r))}if("load"!==i)for(let r of n){let s={fromElt:r,eventName:i,handler:t.handler,capture:!!t.capture,passive:!!t.passive};e._htmx.listeners.push(s),t.listeners.push(s),r.addEventListener(i,t.handler,s)}else t.handler(new CustomEvent("load"))}}#xe(e){let t=e.match(/^([^\[]*)\[([^\]]*)]/);return t?[t[1],t[2]]:[e,null]}#me(t,r){if("{"===t[0]){let i=e.parse(t);for(let e in i){let t=i[e],s=r;t?.target&&(s=this.find(t.target)),this.trigger(s,e,"object"==typeof t?t:{value:t})}}else t.split(",").forEach(e=>this.trigger(r,e.trim(),{}))}#ye(e){let t={},r=Object.getPrototypeOf(this);for(let i of Object.getOwnPropertyNames(r))"constructor"!==i&&"function"==typeof this[i]&&(["find","findAll"].includes(i)?t[i]=(t,r)=>void 0===r?this[i](e,t):this[i](t,r):t[i]=this[i].bind(this));return t}#k(e,t,r,i=!0,s=!0,n=!1){let o={};Object.assign(o,this.#ye(e));let a={},l={scope:a,code:r};this.#$(e,"htmx:scope",l),r=l.code,Object.assign(o,a),Object.assign(o,t);let h=Object.keys(o),c=Object.values(o),u=new(s?this.#l:this.#a)(...h,i?`return (${r})`:r);return n?()=>u.call(e,...c):u.call(e,...c)}process(e,t){if(!e?.isConnected)return;if(!(e instanceof Element)){for(let r of e.children||[])this.process(r,t);return}if(t&&this.#Se(e,!0),this.#V(e))return;if(!this.#L(e,"htmx:before:process"))return;let r=[e],i=this.#f.evaluate(e),s=null;for(;s=i.iterateNext();)r.push(s);for(let e of r)!this.#V(e)&&this.#L(e,"htmx:before:on:init",{},!0)&&this.#ve(e);for(let t of this.#j(e,this.#c))this.#_(t);for(let t of this.#j(e,this.#u))this.#Ee(t);this.#L(e,"htmx:after:process")}#Ee(e){let t=this.#E(e,"hx-boost");if(t&&"false"!==t&&this.#we(e)&&this.#L(e,"htmx:before:init",{},!0)){let r=this.#H(e);r.initialized=!0,r.eventHandler=this.#Q(e),r.boosted=t,this.#J(e),this.#L(e,"htmx:after:init",{},!0)}}#we(e){if(this.#U(e))if("A"===e.tagName){if(""===e.target||"_self"===e.target)return!e.hasAttribute("download")&&!e.getAttribute("href")?.startsWith?.("#")&&this.#Ae(e.href)}else if("FORM"===e.tagName)return"dialog"!==e.method&&this.#Ae(e.action)}#Ae(e){try{return new URL(e,window.location.href).origin===window.location.origin}catch(e){return!1}}#U(e){return!e._htmx?.initialized&&!this.#V(e)}#Se(e,t){let r=[e,...e.querySelectorAll?.("[data-htmx-powered]")??[]];for(let e of r)if(e._htmx){this.#L(e,"htmx:before:cleanup");for(let t of e._htmx.triggerSpecs||[])t.interval&&clearInterval(t.interval),t.timeout&&clearTimeout(t.timeout),t.throttleTimeout&&clearTimeout(t.throttleTimeout),t.observer?.disconnect();for(let t of e._htmx.listeners||[])t.fromElt.removeEventListener(t.eventName,t.handler,t);e.removeAttribute("data-htmx-powered"),this.#L(e,"htmx:after:cleanup"),t&&delete e._htmx}}#Te(e){let t=document.createElement("div");t.hidden=!0,document.body.insertAdjacentElement("afterend",t);let r=e.querySelectorAll?.(this.#S("[hx-preserve]"))||[];for(let e of r){let r=document.getElementById(e.id);r&&this.#Ce(t,r,null)}return t}#qe(e){for(let t of[...e.children]){let e=document.getElementById(t.id);e&&(this.#Ce(e.parentNode,t,e),this.#Se(e),e.remove())}e.remove()}#Ne(e){let t=this.#h.createHTML(e);return Document.parseHTMLUnsafe?.(t,{})||(new DOMParser).parseFromString(t,"text/html")}#Ie(e){let t=e.replace(/<hx-([a-z]+)(\s+|>)/gi,'<template hx type="$1"$2').replace(/<\/hx-[a-z]+>/gi,"</template>"),r="";t=t.replace(/<head(\s[^>]*)?>[\s\S]*?<\/head>/i,e=>(r=this.#Ne(e).title,""));let i,s,n=t.match(/<([a-z][^\/>\x20\t\r\n\f]*)/i)?.[1]?.toLowerCase();if("html"===n||"body"===n?(i=this.#Ne(t),s=document.createDocumentFragment(),s.append(i.body)):(i=this.#Ne(`<template>${t}</template>`),s=i.querySelector("template").content),!r){let e=s.querySelector("title:not(svg title)");e&&(r=e.textContent,e.remove())}return this.#Me(s),{fragment:s,title:r}}#Oe(e,t,r,i){let s=t.id?"#"+CSS.escape(t.id):null,[,n,o]=r.match(/^(\S+):(.+)/)??[];n&&([r,s]=[n,o||s]),"true"!==r&&r||(r="outerHTML");let a=this.#He(r);if(s=a.target||s,a.strip??=!a.style.startsWith("outer"),!s)return;let l=this.#be(i,s);for(let r of l){let s=document.createDocumentFragment();s.append(t.cloneNode(!0)),e.push({type:"oob",fragment:s,target:r,swapSpec:a,sourceElement:i})}t.remove()}#Le(e,t,r){let i=[];if(r)for(let s of r.split(",")){let[r,n="true"]=s.split(/:(.*)/);for(let s of e.querySelectorAll(r))this.#Oe(i,s,n,t)}for(let r of e.querySelectorAll(this.#S("[hx-swap-oob]"))){let e=this.#R(r,"hx-swap-oob"),s=r.getAttribute(e);r.removeAttribute(e),this.#Oe(i,r,s,t)}return i}#ke(e,t,r){t?t.before(...r.childNodes):e.append(...r.childNodes)}#He(t){t=t.trim();let r=this.config.defaultSwap;if(t&&!/^\S*:/.test(t)){let e=t.match(/^(\S+)\s*(.*)$/);r=e[1],t=e[2]}return{style:this.#B(r),...e.parse(t)}}#Ve(e,t){let r=[];for(let i of e.querySelectorAll("template[hx]")){let e=i.getAttribute("type");if("partial"===e){let e=this.#P(i,"hx-target")||(i.id?"#"+CSS.escape(i.id):null);if(e){this.#Me(i.content);let s=this.#He(this.#P(i,"hx-swap")||this.config.defaultSwap);s.ignoreTitle&&(t.title=null);let n=this.#be(t.sourceElement,e);for(let e of n.length?n:[null])r.push({type:"partial",fragment:i.content.cloneNode(!0),target:e,swapSpec:s,sourceElement:t.sourceElement})}}else this.#$(i,"htmx:process:"+e,{ctx:t,tasks:r});i.remove()}return r}#Pe(e,t,r,i){try{null!=r&&e.setSelectionRange&&e.setSelectionRange(r,i),e.focus(t)}catch(e){}}#Re(e){let t=this.#j(e,"[autofocus]")[0];t&&this.#Pe(t)}#je(e){return e===window||e===document?document.scrollingElement:e}#Be(e,t){if(e.scroll){let r=e.scrollTarget?this.#je(this.#ze(t,e.scrollTarget)):t;r&&("top"===e.scroll?r.scrollTop=0:"bottom"===e.scroll&&(r.scrollTop=r.scrollHeight))}if("top"===e.show||"bottom"===e.show){let r=e.showTarget?this.#je(this.#ze(t,e.showTarget)):t;r?.scrollIntoView?.("top"===e.show)}}#Fe(e){e.request?.anchor&&document.getElementById(e.request.anchor)?.scrollIntoView({block:"start",behavior:"auto"})}#Me(e){let t=this.#j(e,"script");for(let e of t){let t=document.createElement("script");for(let r of e.attributes)t.setAttribute(r.name,r.value);this.config.inlineScriptNonce&&(t.nonce=this.config.inlineScriptNonce),t.textContent=this.#h.createScript(e.textContent),e.replaceWith(t)}}initialize(){this.config.history&&!this.#g&&(this.#g=!0,window.navigation&&!/firefox/i.test(navigator.userAgent)?navigation.addEventListener("navigate",e=>{"traverse"===e.navigationType&&e.canIntercept&&!e.hashChange&&e.intercept({handler:()=>this.#$e()})}):window.addEventListener("popstate",e=>this.#$e(e.state))),this.process(document.body)}async swap(e){try{let{fragment:t,title:r}=this.#Ie(e.text);e.title=r;let i=[],s=this.#Le(t,e.sourceElement,e.selectOOB),n=this.#Ve(t,e);i.push(...s,...n);let o=n.length||s.length&&!this.config.allowEmptySwapAfterOOB,a=this.#De(e,t,o);if(a&&i.unshift(a),!this.#L(e.sourceElement,"htmx:before:swap",{ctx:e,tasks:i}))return;this.#We(e);let l=[],h=[];for(let t of i)t.swapSpec?.transition??a?.transition??e.transition?h.push(t):l.push(this.#N(t));if(h.length>0){let t=async()=>{for(let e of h)await this.#N(e,!1)};l.push(this.#_e(t,e))}await Promise.all(l),!e.sourceElement?.isConnected&&a?.target?.isConnected&&(e.sourceElement=a.target),this.#L(e.sourceElement,"htmx:after:swap",{ctx:e}),e.title&&"none"!==e.swap&&(document.title=e.title),this.#Fe(e)}finally{this.#L(e.sourceElement,"htmx:finally:swap",{ctx:e})}}#De(e,t,r){let i=this.#He(e.swap||this.config.defaultSwap);if(i.ignoreTitle&&(e.title=null),"delete"===i.style||(t.querySelector("body")||t).childElementCount>0||t.textContent.trim()||(i.swapEmpty??!r)){if(e.select){let r=t.querySelectorAll(e.select);(t=document.createDocumentFragment()).append(...r)}return this.#D(e.sourceElement)&&(i.show||="top"),{type:"main",fragment:t,target:this.#K(e.sourceElement||document.body,i.target||e.target),swapSpec:i,sourceElement:e.sourceElement,transition:e.transition&&!1!==i.transition}}}async#N(e,t=!0){let{target:r,swapSpec:i,fragment:s}=e;if("string"==typeof r&&(r=document.querySelector(r)),!r)return;"string"==typeof i&&(i=this.#He(i));let n,o=i.style;if("none"===o)return;if("BODY"===s.firstElementChild?.tagName){const e=r===document.body&&o.startsWith("outer");e&&"outerHTML"===o&&(o="outerSync"),i.strip??=!e}if(i.strip&&s.firstElementChild&&(s=document.createDocumentFragment(),s.append(...(e.fragment.firstElementChild.content||e.fragment.firstElementChild).childNodes)),this.#Ue(r,"htmx-swapping"),t&&e.swapSpec?.swap&&await this.timeout(e.swapSpec?.swap),"delete"===o)return void(r.parentNode&&(this.#Se(r),r.parentNode.removeChild(r)));let a=[],l=i.settle??this.config.defaultSettleDelay,h=r.parentNode;if("innerHTML"===o||"outerHTML"===o&&h){let e=document.activeElement;if(e?.id){let t,r;try{t=e.selectionStart,r=e.selectionEnd}catch(e){}n={elt:e,start:t,end:r}}a=t&&l?this.#Qe(s,r):[]}let c=this.#Te(s),u=[...s.childNodes];try{if("innerHTML"===o){for(const e of r.children)this.#Se(e);r.replaceChildren(...s.childNodes)}else if("textContent"===o){for(const e of r.querySelectorAll("[data-htmx-powered]"))this.#Se(e);r.textContent=s.textContent}else if("outerHTML"===o)h&&(this.#ke(h,r,s),this.#Se(r),h.removeChild(r),r=u.find(e=>1===e.nodeType)||h);else if("outerSync"===o){this.#Je(r,s.firstElementChild);for(const e of r.children)this.#Se(e);r.replaceChildren(...s.firstElementChild.childNodes),u=[r]}else if("innerMorph"===o)this.#I(r,s,!0),u=[...r.childNodes];else if("outerMorph"===o)this.#I(r,s,!1),u.push(r);else if("beforebegin"===o)h&&this.#ke(h,r,s);else if("afterbegin"===o)this.#ke(r,r.firstChild,s);else if("beforeend"===o)this.#ke(r,null,s);else if("afterend"===o)h&&this.#ke(h,r.nextSibling,s);else{let e=this.#i.get("handle_swap")||[],t=!1;for(const n of e){let e=n(o,r,s,i);if(e){t=!0,Array.isArray(e)&&(u=e);break}}if(!t)throw new Error(`Unknown swap style: ${o}`)}}finally{this.#Xe(r,"htmx-swapping")}if(e.target=r,this.#qe(c),n&&!n.elt.matches(":focus")){let e=document.getElementById(n.elt.id);if(e){let t={preventScroll:void 0!==i.focusScroll?!i.focusScroll:!this.config.defaultFocusScroll};this.#Pe(e,t,n.start,n.end)}}this.#L(r,"htmx:before:settle",{task:e,newContent:u,settleTasks:a});for(const e of u)this.#Ue(e,"htmx-added");if(t&&a.length>0){this.#Ue(r,"htmx-settling"),await this.timeout(l);for(let e of a)e();this.#Xe(r,"htmx-settling")}this.#L(r,"htmx:after:settle",{task:e,newContent:u,settleTasks:a});for(const e of u)this.#Xe(e,"htmx-added"),this.process(e),this.#Re(e);this.#Be(i,r)}#L(e,t,r={},i=!0){if(r.error){let i=`htmx: ${t}: ${r.error.message??r.error}`;r.error instanceof Error?console.error(i,r.error,{elt:e,detail:r}):console.error(i,{elt:e,detail:r})}else r.warn?console.warn(`htmx: ${t}: ${r.warn}`,{elt:e,detail:r}):this.config.logAll&&console.log(`htmx: ${t}`,{elt:e,detail:r});return e=this.#Ge(e),this.#$(e,t,r),this.trigger(e,this.#F(t),r,i)}#$(e,t,r={}){let i=this.#i.get(t.replace(/:/g,"_"));if(i){r.cancelled=!1;for(const t of i)if(!1===t(e,r)||r.cancelled)return r.cancelled=!0,!1}return!0}timeout(e){if((e=this.parseInterval(e))>0)return new Promise(t=>setTimeout(t,e))}onLoad(e){this.on(this.#F("htmx:after:process"),t=>{e(t.target)})}on(e,t,r){let i,s=document;return void 0===r?(i=e,r=t):(s=this.#Ge(e),i=t),s.addEventListener(i,r),r}find(e,t){return this.#ze(e,t)}findAll(e,t){return this.#be(e,t)}parseInterval(e){if("number"==typeof e)return e;let[,t,r]=e?.match(/^([\d.]+)(ms|s|m)?$/)||[],i=parseFloat(t)*({ms:1,s:1e3,m:6e4}[r]||1);return isNaN(i)?void 0:i}trigger(e,t,r={},i=!0){e=this.#Ge(e);let s=new CustomEvent(t,{detail:r,cancelable:!0,bubbles:i,composed:!0}),n=e?.isConnected?e:document;return!r?.cancelled&&n.dispatchEvent(s)}ajax(e,t,r){(!r||r instanceof Element||"string"==typeof r)&&(r={target:r});let i="string"==typeof r.source?document.querySelector(r.source):r.source;if("string"==typeof r.source&&!i)return Promise.reject(new Error("Source not found"));i||=document.body;let s=this.#T(i,r.event||{});return Object.assign(s,r),r.target&&(s.target=this.#K(document.body,r.target),!s.target)?Promise.reject(new Error("Target not found")):(Object.assign(s.request,{action:t,method:e.toUpperCase()}),r.headers&&Object.assign(s.request.headers,r.headers),this.#X(s))}#Ke(e){this.config.history&&(history.pushState({htmx:!0},"",e),this.#L(document,"htmx:after:history:push",{path:e}))}#Ye(e){this.config.history&&(history.replaceState({htmx:!0},"",e),this.#L(document,"htmx:after:history:replace",{path:e}))}async#$e(e,t){if(await this.timeout(1),e??=history.state,!e?.htmx)return;this.#p?.abort(),t=t||location.pathname+location.search;let r=document.querySelector(this.#S("[hx-history-elt]"))||document.body;if(this.#L(document,"htmx:before:history:restore",{path:t,cacheMiss:!0})){if("reload"!==this.config.history)return this.#p=new AbortController,this.ajax("GET",t,{target:r,swap:"outerSync",select:r!==document.body?this.#S("[hx-history-elt]"):void 0,request:{headers:{"HX-History-Restore-Request":"true"},signal:this.#p.signal}});this._loc.reload()}}#Ze(e){let{sourceElement:t,push:r,replace:i,hx:s,response:n}=e;if((s?.pushurl||s?.replaceurl)&&(r=s.pushurl,i=s.replaceurl),null==r&&null==i&&this.#D(t)&&(r="true"),"false"!==r&&!1!==r||(r=null),"false"!==i&&!1!==i||(i=null),!r&&!i)return null;let o=r||i;if("true"===o){let t=n?.raw?.url||e.request.action,r=new URL(t,location.href);o=r.pathname+r.search+(e.request.anchor?"#"+e.request.anchor:"")}return{type:r?"push":"replace",path:o}}#We(e){if(!this.config.history)return;history.state?.htmx||history.replaceState({htmx:!0},"",location.href);let t=this.#Ze(e);if(!t)return;let r={history:t,sourceElement:e.sourceElement,response:e.response};this.#L(document,"htmx:before:history:update",r)&&("push"===t.type?this.#Ke(t.path):this.#Ye(t.path),this.#L(document,"htmx:after:history:update",r))}#ve(e){if(e._htmx?.onInitialized)return;let t=this.#v("hx-on"),r=this.config.metaCharacter||":",i=t=>async r=>{try{await this.#k(e,{event:r},`with(event?.detail||{}){${t}}`,!1)}catch(t){"symbol"!=typeof t&&this.#L(e,"htmx:error",{error:t})}};for(let s of e.getAttributeNames()){let n=t.find(e=>s.startsWith(e));if(!n)continue;this.#H(e).onInitialized=!0;let o=s.substring(n.length),a=e.getAttribute(s);if(!o){for(let t of a.split(/;(?=[^;]*->)/)){let r=t.indexOf("->");-1!==r&&this.#O(e,t.substring(0,r).trim(),i(t.substring(r+2).trim()))}continue}if(o[0]!==r)continue;let l=o.substring(1);l.startsWith(r)&&(l="htmx"+r+l.substring(1)),this.#O(e,l,i(a))}}#he(e){let t,r=e.sourceElement,i=this.#E(r,"hx-indicator");if(i)t=this.#be(r,i,"hx-indicator");else{if(r===document.body)return;t=[r]}for(const r of t){e.indicators.push(r);let t=this.#W(r);t.rc=(t.rc||0)+1,this.#Ue(r,this.config.requestClass)}}#pe(e){for(let t of e){let e=this.#W(t);e.rc&&--e.rc<=0&&(this.#Xe(t,this.config.requestClass),delete e.rc)}}#ce(e){let t=e.sourceElement,r=this.#E(t,"hx-disable");if(r)for(let i of this.#be(t,r,"hx-disable")){e.disabledElements.push(i);let t=this.#W(i);t.dc=(t.dc||0)+1,i.disabled=!0}}#ge(e){for(const t of e){let e=this.#W(t);e.dc&&--e.dc<=0&&(t.disabled=!1,delete e.dc)}}#C(e,t,r,i,s){if(i&&t&&!t.reportValidity())return;r??=t&&"submit"===e.type?e:null;let n=t?new FormData(t):new FormData,o=t?new Set(t.elements):new Set;if(!t){if(i&&e.reportValidity&&!e.reportValidity())return;this.#et(e,o,n,s)}r?.name&&(n.append(r.name,r.value),o.add(r));let a=this.#E(e,"hx-include");if(a)for(let t of this.#be(e,a)){if(i&&t.reportValidity&&!t.reportValidity())return;this.#et(t,o,n)}return n}#et(e,t,r,i){let s=e.tagName,n=[];"BUTTON"===s||s.includes("-")?n=[e]:(["INPUT","SELECT","TEXTAREA","FIELDSET"].includes(s)||!i&&e!==document.body)&&(n=this.#j(e,"[name]:not(button)"));for(let e of n){let i=e.name||e.getAttribute?.("name");if(!i||e.matches(":disabled")||t.has(e))continue;t.add(e);let s=e.type;if("checkbox"===s||"radio"===s||"INPUT"!==e.tagName&&"checked"in e)e.checked&&r.append(i,e.value);else if("file"===s)for(let t of e.files)r.append(i,t);else if("select-multiple"===s)for(let t of e.selectedOptions)r.append(i,t.value);else if(Array.isArray(e.value))for(let t of e.value)r.append(i,t);else r.append(i,e.value)}}#q(t,r,i,s={}){let n=this.#E(t,r);if(!n)return null;let o=this.#ie(n);if(o)return 0!==o.indexOf("{")&&(o="{"+o+"}"),this.#k(t,s,o,!0).then(e=>{i(e)});i(e.parse(n))}#tt(e){let t=e.trim();return t.startsWith("<")&&t.endsWith("/>")?t.slice(1,-2):t}#be(t,r,i,s){let n=r??t,o=r?this.#Ge(t)||document.body:document;if(n.startsWith("global "))return this.#be(o,n.slice(7),i,!0);let a=n?e.split(n):[],l=[],h=[];for(const e of a){let t,r=this.#tt(e);if(r.startsWith("closest "))t=o.closest(r.slice(8));else if(r.startsWith("find "))t=o.querySelector(r.slice(5));else if(r.startsWith("findAll "))l.push(...o.querySelectorAll(r.slice(8)));else if("next"===r||"nextElementSibling"===r)t=o.nextElementSibling;else if(r.startsWith("next "))t=this.#rt(o,r.slice(5),!!s);else if("previous"===r||"previousElementSibling"===r)t=o.previousElementSibling;else if(r.startsWith("previous "))t=this.#it(o,r.slice(9),!!s);else if("document"===r)t=document;else if("window"===r)t=window;else if("body"===r)t=document.body;else if("host"===r)t=o.getRootNode().host;else if("this"===r){if(i){l.push(...this.#z(o,i));continue}t=o}else h.push(r);t&&l.push(t)}if(h.length>0){let e=h.join(","),t=this.#st(o,!!s);l.push(...t.querySelectorAll(e))}return[...new Set(l)]}#rt(e,t,r){return this.#nt(this.#st(e,r).querySelectorAll(t),e,Node.DOCUMENT_POSITION_PRECEDING)}#it(e,t,r){let i=[...this.#st(e,r).querySelectorAll(t)].reverse();return this.#nt(i,e,Node.DOCUMENT_POSITION_FOLLOWING)}#nt(e,t,r){for(const i of e)if(i.compareDocumentPosition(t)===r)return i}#st(e,t){return e.isConnected&&e.getRootNode?e.getRootNode?.({composed:t}):document}#ee(e,t,r){let i=this.#be(e,t,r)[0];return i||console.warn(`htmx: '${t}' on ${r} did not match any element`,{elt:e,selector:t,attr:r}),i}#ze(e,t,r){return this.#be(e,t,r)[0]}#ie(e){if(null!=e){if(e.startsWith("js:"))return e.substring(3);if(e.startsWith("javascript:"))return e.substring(11)}}#ae(e){let t=this.#H(e);if(t.abortInitialized)return;t.abortInitialized=!0;let r=()=>{this.#oe(e).abort()};e.addEventListener("htmx:abort",r),t.listeners.push({fromElt:e,eventName:"htmx:abort",handler:r})}#I(e,t,r){let{persistentIds:i,idMap:s}=this.#ot(e,t),n=document.createElement("div");n.hidden=!0,document.body.after(n);let o={target:e,idMap:s,persistentIds:i,pantry:n,futureMatches:new WeakSet};r?this.#at(o,e,t):this.#at(o,e.parentNode,t,e,e.nextSibling),this.#Se(n),n.remove()}#at(e,t,r,i=null,s=null){t instanceof HTMLTemplateElement&&r instanceof HTMLTemplateElement&&(t=t.content,r=r.content),i||=t.firstChild;let n=r.firstChild;for(;n;){let r;if(i&&i!=s&&(r=this.#lt(e,n,i,s),r&&r!==i)){let o=i;for(;o&&o!==r;){let r=o;o=o.nextSibling,r instanceof Element&&(e.idMap.has(r)||this.#ht(e,r,n))?this.#Ce(t,r,s):this.#ct(e,r)}}if(!r&&n instanceof Element&&e.persistentIds.has(n.id)){let s=CSS.escape(n.id);r=e.target.id===n.id&&e.target||e.target.querySelector(`[id="${s}"]`)||e.pantry.querySelector(`[id="${s}"]`);let o=r;for(;o=o.parentNode;){let t=e.idMap.get(o);t&&(t.delete(r.id),t.size||e.idMap.delete(o))}this.#Ce(t,r,i)}if(r){this.#ut(r,n,e),i=r.nextSibling,n=n.nextSibling;continue}let o=n.nextSibling;if(e.idMap.has(n)){let r=document.createElement(n.tagName);t.insertBefore(r,i),this.#ut(r,n,e),this.process(r),i=r.nextSibling}else t.insertBefore(n,i),i=n.nextSibling;n=o}for(;i&&i!=s;){let t=i;i=i.nextSibling,this.#ct(e,t)}}#ht(e,t,r){if(e.futureMatches.has(t))return!0;for(let i=r.nextSibling,s=0;i&&s<this.config.morphScanLimit;i=i.nextSibling,s++)if(i instanceof Element&&t.isEqualNode(i))return e.futureMatches.add(t),!0;return!1}#lt(e,t,r,i){if(3===t.nodeType)return 3===r?.nodeType?r:null;if(!(t instanceof Element))return null;let s=null,n=0,o=this.config.morphScanLimit,a=e.idMap.get(t),l=a?.size||0;if(t.id&&!a)return null;let h=r;for(;h&&h!=i;){let r=e.idMap.get(h);if(this.#o.isSoftMatch(h,t)){if(r&&a&&[...r].some(e=>a.has(e)))return h;if(!r){if(o>0&&h.isEqualNode(t))return h;s||(s=h)}}if(n+=r?.size||0,n>l)break;if(null!=document.activeElement?.selectionStart&&h.contains(document.activeElement))break;if(--o<1&&0===l)break;h=h.nextSibling}return s&&this.#ht(e,s,t)?null:s}#M(e,t){return e instanceof Element&&e.tagName===t.tagName&&(!("SCRIPT"===e.tagName&&!e.isEqualNode(t))&&(!e.id||e.id===t.id))}#ct(e,t){e.idMap.has(t)?this.#Ce(e.pantry,t,null):(this.#Se(t),t.remove())}#Ce(e,t,r){if(e.moveBefore)try{return void e.moveBefore(t,r)}catch(e){}e.insertBefore(t,r)}#ut(e,t,r){if(3===e.nodeType)return void(e.nodeValue!==t.nodeValue&&(e.nodeValue=t.nodeValue));if(this.config.morphSkip&&e.matches?.(this.config.morphSkip))return;if(!this.#$(e,"htmx:before:morph:node",{oldNode:e,newNode:t}))return;this.#Je(e,t),e instanceof HTMLTextAreaElement&&document.activeElement!==e&&e.defaultValue!=t.defaultValue&&(e.value=t.value),this.config.morphSkipChildren&&e.matches?.(this.config.morphSkipChildren)||e.isEqualNode(t)&&"TEMPLATE"!==t.tagName&&!t.querySelector?.("template")||this.#at(r,e,t)}#Je(e,t){let r=this.config.morphIgnore||[],i=!1,s=e=>this.#v("hx-").some(t=>e.startsWith(t));for(const n of t.attributes)if(!r.some(e=>n.name.startsWith(e))&&e.getAttribute(n.name)!==n.value){if(s(n.name)&&(i=!0),!this.#$(e,"htmx:before:morph:attr",{attrName:n.name,newValue:n.value}))continue;e.setAttribute(n.name,n.value),"value"===n.name&&e instanceof HTMLInputElement&&"file"!==e.type&&document.activeElement!==e&&(e.value=n.value)}for(let n=e.attributes.length-1;n>=0;n--){let o=e.attributes[n];if(o&&!t.hasAttribute(o.name)&&!r.some(e=>o.name.startsWith(e))){if(s(o.name)&&(i=!0),!this.#$(e,"htmx:before:morph:attr",{attrName:o.name,newValue:null}))continue;e.removeAttribute(o.name)}}i&&this.#Se(e,!0)}#dt(e,t,r,i){for(const s of i)if(t.has(s.id)){let t=s;for(;t&&t!==r;){let r=e.get(t);null==r&&(r=new Set,e.set(t,r)),r.add(s.id),t=t.parentElement}}}#ot(e,t){let r=this.#j(e,"[id]"),i=t.querySelectorAll("[id]"),s=this.#ft(r,i),n=new Map;return this.#dt(n,s,e.parentElement,r),this.#dt(n,s,t,i),{persistentIds:s,idMap:n}}#ft(e,t){let r=new Set,i=new Map;for(const{id:t,tagName:s}of e)i.has(t)?r.add(t):t&&i.set(t,s);let s=new Set;for(const{id:e,tagName:n}of t)s.has(e)?r.add(e):i.get(e)===n&&s.add(e);for(const e of r)s.delete(e);return s}#fe(t){let r=t.response.raw.status,i=this.config.noSwap.map(e=>e+""),s=r+"";for(let r of[s,s.slice(0,2)+"x",s[0]+"xx"]){if(i.includes(r))return void(t.swap="none");let s=this.#E(t.sourceElement,"hx-status:"+r);if(s)return void e.merge(s,t)}}#_e(e,t){return new Promise(r=>{this.#m||=[],this.#m.push({task:e,resolve:r,ctx:t}),this.#x||this.#mt()})}async#mt(){if(0===this.#m.length||this.#x)return;this.#x=!0;let{task:e,resolve:t,ctx:r}=this.#m.shift();try{if(document.startViewTransition){let t={task:e,ctx:r};this.#L(r.sourceElement,"htmx:before:viewTransition",t),await document.startViewTransition(t.task).finished,this.#L(r.sourceElement,"htmx:after:viewTransition",t)}else await e()}catch(e){}finally{this.#x=!1,t(),this.#mt()}}#Qe(e,t){let r=["class","style","width","height"],i=t.querySelectorAll("[id]"),s=Object.fromEntries([...i].map(e=>[e.id,e])),n=e.querySelectorAll("[id]"),o=[];for(let e of n){let t=s[e.id];if(t?.tagName===e.tagName){let i=e.cloneNode(!1);for(let i of r)t.hasAttribute(i)?e.setAttribute(i,t.getAttribute(i)):e.removeAttribute(i);o.push(()=>{this.#Je(e,i)})}}return o}#Ue(e,t){e?.classList?.add?.(t)}#Xe(e,t){e?.classList?.remove?.(t),0===e?.classList?.length&&e.removeAttribute("class")}#Ge(e){return"string"==typeof e?this.find(e):e}#F(e){return this.config.metaCharacter?e.replace(/:/g,this.config.metaCharacter):e}}})();
;
(()=>{let e,t=new Set;function n(t){let n=null!=e.attributeValue(t,"hx-sse:connect"),r=e.HCON.parse(e.attributeValue(t,"hx-config")).sse||{};return{reconnect:n,reconnectDelay:500,reconnectMaxDelay:6e4,reconnectMaxAttempts:1/0,reconnectJitter:.3,connectTimeout:htmx.config.defaultTimeout,pauseOnBackground:n,releaseOn:n?"immediate":"end",...htmx.config.sse,...r}}function r(e){for(let t of Object.keys(e))"last-event-id"===t.toLowerCase()&&delete e[t]}async function*s(e){let t=e.reader,n=e.lastEventId,r=new TextDecoder,s="",a=!1,i=!1,o={data:"",event:"",retry:null},c=!0;try{for(;;){let{done:e,value:l}=await t.read();if(e)break;let m=r.decode(l,{stream:!0});c&&(65279===m.charCodeAt(0)&&(m=m.slice(1)),c=!1),s+=m;let u=s.split(/\r\n|\r|\n/);s=u.pop()||"";for(let e of u){if(!e){(a||i||o.event)&&(yield{...o,id:n,hasData:a,hasId:i}),a=!1,i=!1,o={data:"",event:"",retry:null};continue}let t,r,s=e.indexOf(":");if(0!==s)if(s<0?(t=e,r=""):(t=e.slice(0,s),r=e.slice(s+1)," "===r[0]&&(r=r.slice(1))),"data"===t)o.data+=(a?"\n":"")+r,a=!0;else if("event"===t)o.event=r;else if("id"===t)r.includes("\0")||(n=r,i=!0);else if("retry"===t){let e=parseInt(r,10);isNaN(e)||(o.retry=e)}}}}finally{t.releaseLock(),e.reader=null}}function a(t,n){let r=t?._htmx?.sse;r&&(r.reader?.cancel?.(),r.abortController?.abort(),r.delayCanceller&&r.delayCanceller(),r.visibilityHandler&&document.removeEventListener("visibilitychange",r.visibilityHandler),e.triggerHtmxEvent(t,"htmx:sse:close",{connection:r,reason:n||"cleanup"}),delete t._htmx.sse)}htmx.registerExtension("sse",{init:t=>{e=t},htmx_config_request:(e,{ctx:t})=>{t.request.headers.Accept=`${t.request.headers.Accept??t.request.headers.accept??"text/html"}, text/event-stream`,null!=t.timeout&&(t.request.timeout=t.timeout)},htmx_before_response:(t,i)=>{let o,c=i.ctx,l=c.response.raw.headers.get("Content-Type");if(l?.includes("text/event-stream"))return clearTimeout(c.requestTimeout),c.extensionPromise=new Promise(e=>o=e),async function(t,i){let o=t.sourceElement,c=n(o),l=!1,m=null;function u(){i&&(i(),i=null)}"immediate"===c.releaseOn&&u();let d={url:t.request.action,config:c,abortController:{abort:t.request.abort,signal:t.request.signal},reader:null,lastEventId:"",delayCanceller:null,visibilityHandler:null,attempt:0,cancelled:!1,status:null};e.htmxProp(o).sse=d;let h=!1,x=null;if(c.pauseOnBackground){let e=()=>{document.hidden?(h=!0,d.reader?.cancel()):h&&(h=!1,x&&x())};document.addEventListener("visibilitychange",e),d.visibilityHandler=e}if(d.cancelled=!1,!e.triggerHtmxEvent(o,"htmx:sse:before:connection",{connection:d})||d.cancelled)return void a(o,"cancelled");d.status=t.response.status,e.triggerHtmxEvent(o,"htmx:sse:after:connection",{connection:d});let f=t.response.raw;try{for(;o.isConnected;){if(d.attempt>0){if(h){if(await new Promise(e=>{x=e}),x=null,!o.isConnected)break;d.attempt=1,l=!0}if(!l&&(!c.reconnect||d.attempt>c.reconnectMaxAttempts))break;let n=htmx.parseInterval(c.reconnectDelay)??c.reconnectDelay,s=htmx.parseInterval(c.reconnectMaxDelay)??c.reconnectMaxDelay,a=Math.min(n*Math.pow(2,d.attempt-1),s);if(c.reconnectJitter>0){let e=a*c.reconnectJitter;a=Math.max(0,a+(2*Math.random()-1)*e)}if(d.cancelled=!1,!e.triggerHtmxEvent(o,"htmx:sse:before:connection",{connection:d})||d.cancelled)break;if(await new Promise(e=>{d.delayCanceller=e,setTimeout(e,a)}),d.delayCanceller=null,!o.isConnected)break;let i=new AbortController;d.abortController=i;let m=!1,u=htmx.parseInterval(c.connectTimeout)??c.connectTimeout,g=u>0?setTimeout(()=>{m=!0,i.abort()},u):null;try{r(t.request.headers),d.lastEventId&&(t.request.headers["Last-Event-ID"]=d.lastEventId),f=await fetch(t.request.action,{...t.request,signal:i.signal}),clearTimeout(g)}catch(t){if(clearTimeout(g),i.signal.aborted&&!m)break;e.triggerHtmxEvent(o,"htmx:sse:error",{connection:d,error:t}),l=!1,d.attempt++;continue}if(!f.ok){e.triggerHtmxEvent(o,"htmx:sse:error",{connection:d,error:new Error(`SSE reconnect failed with status ${f.status}`),status:f.status}),l=!1,d.attempt++;continue}d.status=f.status,e.triggerHtmxEvent(o,"htmx:sse:after:connection",{connection:d}),d.attempt=0}l=!1;try{d.reader=f.body.getReader();for await(let n of s(d)){if(!o.isConnected||l)break;if(n.hasId&&(d.lastEventId=n.id,n.id||r(t.request.headers)),!n.hasData&&!n.event)continue;let s=[],a={connection:d,message:{data:n.data,event:n.event,id:n.id},cancelled:!1,waitUntil:e=>s.push(Promise.resolve(e))},i=e.triggerHtmxEvent(o,"htmx:sse:before:message",a);if(await Promise.all(s),i&&!a.cancelled){if(null!=n.retry&&(c.reconnectDelay=n.retry),a.message.event){"hx:release"===a.message.event&&u(),htmx.trigger(o,a.message.event,{data:a.message.data,id:a.message.id}),e.triggerHtmxEvent(o,"htmx:sse:after:message",{connection:d,message:a.message});let t=e.attributeValue(o,"hx-sse:close");if(t&&a.message.event===t)return m="message",void d.reader?.cancel();continue}t.text=a.message.data,t.swap.includes("swapEmpty")||(t.swap+=" swapEmpty:false"),await htmx.swap(t),"first"===c.releaseOn&&u(),e.triggerHtmxEvent(o,"htmx:sse:after:message",{connection:d,message:a.message})}}}catch(t){d.abortController?.signal?.aborted||"AbortError"===t.name||e.triggerHtmxEvent(o,"htmx:sse:error",{connection:d,error:t})}if(!o.isConnected)break;d.attempt++}}finally{u(),a(o,m??(o.isConnected?"ended":"removed"))}}(c,o).catch(n=>{"AbortError"!==n.name&&e.triggerHtmxEvent(t,"htmx:sse:error",{error:n,url:c.request.action})}),!1},htmx_after_process:r=>{let s=htmx.config.metaCharacter||":",a=r=>{!function(e){for(let n of["sse-connect","sse-close","sse-swap"])e.hasAttribute(n)&&!t.has(n)&&("sse-swap"===n?console.warn("htmx: [hx-sse] sse-swap is removed in htmx 4. Unnamed SSE messages are swapped automatically. Named events are dispatched as DOM events."):console.warn(`htmx: [hx-sse] legacy attribute ${n} is deprecated; use hx-sse:${n.slice(4)} instead`),t.add(n))}(r);for(let e of["connect","close"]){let t=`sse-${e}`;if(!r.hasAttribute(t))continue;let n=(htmx.config.prefix||"hx-")+"sse"+s+e;r.hasAttribute(n)||r.setAttribute(n,r.getAttribute(t))}!function(t){let r=e.attributeValue(t,"hx-sse:connect");if(!r)return;if(t._htmx?.sse)return;let s=e.attributeValue(t,"hx-trigger")||"load";e.onTrigger(t,s,()=>{t._htmx?.sse||htmx.ajax("GET",r,{source:t,timeout:n(t).connectTimeout})})}(r)};a(r);let i=`[${CSS.escape("hx-sse"+s+"connect")}]`;htmx.config.prefix&&(i+=`,[${CSS.escape(htmx.config.prefix+"sse"+s+"connect")}]`),r.querySelectorAll(`${i},[sse-connect],[sse-close],[sse-swap]`).forEach(a)},htmx_before_cleanup:e=>{a(e)}})})();
;
(() => {
"use strict";
const find = (query, root = document) => root.querySelector(query);
const all = (query, root = document) => [...root.querySelectorAll(query)];
const page = document.body.dataset;
let audio = null; // made at the first touch: browsers keep a page silent before that
let quiet = /(^|; )quiet=1/.test(document.cookie);
let talk = null; // what is being said: {stop, done}
const pieces = new Map(); // name -> promise of a sound, or null where there is none
function wake() {
try {
audio ??= new AudioContext();
if (audio.state === "suspended") audio.resume();
} catch { audio = null; }
window.speechSynthesis?.getVoices(); // some browsers look for them only when asked
}
const awake = () => !quiet && audio?.state === "running";
function tone({ from, to = from, time = .3, loud = .2, at = 0, type = "sine", noise = false }) {
if (!awake()) return;
const start = audio.currentTime + at, level = audio.createGain();
level.gain.setValueAtTime(0, start);
level.gain.linearRampToValueAtTime(loud, start + .008);
level.gain.exponentialRampToValueAtTime(.0001, start + time);
level.connect(audio.destination);
let source;
if (noise) {
const length = Math.ceil(audio.sampleRate * time);
const buffer = audio.createBuffer(1, length, audio.sampleRate), data = buffer.getChannelData(0);
for (let i = 0; i < length; i++) data[i] = Math.random() * 2 - 1;
source = audio.createBufferSource();
source.buffer = buffer;
const band = audio.createBiquadFilter();
band.type = "bandpass";
band.Q.value = .9;
band.frequency.setValueAtTime(from, start);
band.frequency.exponentialRampToValueAtTime(to, start + time);
source.connect(band).connect(level);
} else {
source = audio.createOscillator();
source.type = type;
source.frequency.setValueAtTime(from, start);
source.frequency.exponentialRampToValueAtTime(to, start + time * .6);
source.connect(level);
}
source.start(start);
source.stop(start + time + .02);
}
const kalimba = (pitch, at) => {
tone({ from: pitch, time: .9, loud: .22, at });
tone({ from: pitch * 3.01, time: .18, loud: .05, at });
tone({ from: 1800, time: .03, loud: .04, at, noise: true });
};
const sounds = {
tap: () => { tone({ from: 420, to: 210, time: .07, loud: .2, type: "triangle" }); tone({ from: 1400, time: .025, loud: .08, noise: true }); },
slide: () => tone({ from: 1500, to: 3800, time: .22, loud: .09, noise: true }),
drop: () => { tone({ from: 340, to: 900, time: .16, loud: .16 }); tone({ from: 700, to: 1250, time: .1, loud: .08, at: .09 }); },
gofish: () => { kalimba(330, 0); kalimba(330, .22); },
catch: () => { kalimba(392, 0); kalimba(523, .14); },
book: () => { kalimba(392, 0); kalimba(494, .16); kalimba(587, .32); },
wish: () => { kalimba(523, 0); kalimba(659, .13); kalimba(784, .26); kalimba(1047, .42); },
turn: () => kalimba(523, 0),
};
const sound = (name) => sounds[name]();
function piece(name) {
if (!pieces.has(name)) {
pieces.set(name, fetch(page.voice + name + ".mp3")
.then((answer) => (answer.ok ? answer.arrayBuffer() : null))
.then((bytes) => bytes && audio.decodeAudioData(bytes))
.catch(() => null));
}
return pieces.get(name);
}
function say(names, words = "", own = "") {
hush();
const list = (names || "").split(" ").filter(Boolean), named = own && voice();
if (named) list.shift();
if (!awake() || !(named || list.length)) return Promise.resolve();
let end, over = false;
const sources = [];
const done = new Promise((resolve) => { end = () => { over = true; resolve(); }; });
talk = { done, stop() { sources.forEach((source) => source.stop()); window.speechSynthesis?.cancel(); end(); } };
const play = (found) => {
if (over) return;
const ready = found.filter(Boolean);
if (!ready.length) { if (named) end(); else speak(words, end); return; }
let at = audio.currentTime + .02;
for (const buffer of ready) {
const source = audio.createBufferSource();
source.buffer = buffer;
source.connect(audio.destination);
source.start(at);
sources.push(source);
at += buffer.duration + .03;
}
sources.at(-1).onended = end;
};
const found = Promise.all(list.map(piece));
if (named) speak(own, () => found.then(play));
else found.then(play);
return done;
}
const voice = () => window.speechSynthesis?.getVoices().find((one) => one.localService && one.lang.startsWith("en"));
function speak(words, end) {
const found = voice();
if (!found || !words) { end(); return; }
const line = new SpeechSynthesisUtterance(words);
Object.assign(line, { voice: found, rate: .9, pitch: 1.15, onend: end, onerror: end });
speechSynthesis.speak(line);
}
function hush() {
talk?.stop();
talk = null;
}
const sayOf = (element) => (element ? say(element.dataset.say, element.textContent, element.dataset.spoken) : Promise.resolve());
function paintSound() {
find("#sound")?.setAttribute("aria-pressed", String(!quiet));
}
function toggleSound() {
quiet = !quiet;
document.cookie = `quiet=${quiet ? 1 : 0}; path=${page.root || "/"}; SameSite=Lax`;
paintSound();
if (quiet) hush();
else { wake(); sayAgain(); }
}
const sayAgain = () => sayOf(find("#q-words") || find("#words") || find("#made") || find("main [data-say]"));
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wake, { capture: true });
document.addEventListener("pointerdown", (event) => {
if (event.target.closest?.("button,a.btn,a.tile,a.animal")) sound("tap");
});
const table = () => find("#table");
const nothing = () => ({ fan: "", class: "", target: "", traits: [] });
const chosen = { ...nothing(), at: "" }; // at: the move it was chosen at
const fans = () => all("#hand .fan");
const seats = () => all("#ring .seat");
const can = (button) => button && button.getAttribute("aria-disabled") !== "true";
const words = (text) => (text || "").split(" ").filter(Boolean);
const optionsOf = (fan) => words(fan?.dataset.options);
const fanOf = (key) => fans().find((fan) => fan.dataset.fan === key);
const optionOf = (key) => key && document.getElementById("opt-" + key);
const everybody = () => find("#all");
function readPicks() {
if (chosen.at !== table().dataset.v) Object.assign(chosen, nothing(), { at: table().dataset.v });
const pressed = (buttons) => buttons.find((button) => button.getAttribute("aria-pressed") === "true");
const fan = can(fanOf(chosen.fan)) ? fanOf(chosen.fan) : pressed(fans());
if (fan?.dataset.fan !== chosen.fan) chosen.traits = [];
chosen.fan = can(fan) ? fan.dataset.fan : "";
const options = optionsOf(fan);
if (options.length === 1) [chosen.class] = options;
else if (!options.includes(chosen.class)) chosen.class = pressed(all("#opts .opt"))?.value || "";
if (!options.includes(chosen.class)) chosen.class = "";
const seat = seats().find((one) => one.value === chosen.target), marked = pressed(seats());
chosen.target = everybody() ? "all" : can(seat) ? chosen.target : can(marked) ? marked.value : "";
}
const nextPick = () => (!chosen.fan ? "class" : !chosen.class ? "option" : !chosen.target ? "target" : "ask");
const fill = (line, values) => line.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
function paintPicks() {
const form = find("#ask");
if (!form) return;
const fan = fanOf(chosen.fan), option = optionOf(chosen.class), next = nextPick();
const seat = everybody() || seats().find((one) => one.value === chosen.target);
form.elements.class.value = chosen.class;
form.elements.target.value = chosen.target;
if (form.elements.bait) form.elements.bait.value = fan?.dataset.code || "";
for (const one of fans()) one.setAttribute("aria-pressed", String(one === fan));
for (const one of seats()) {
one.setAttribute("aria-pressed", String(one === seat));
one.classList.toggle("is-picked", one === seat);
one.classList.toggle("is-pick", can(one) && one !== seat);
}
paintTraits(fan, next);
paintOptions(fan, next);
paintSlot(find(".ask__slot--class"), option, next === "class" || (next === "option" && !find("#traits")), () => {
find("#what").replaceChildren(...[...option.children].map((face) => face.cloneNode(true)));
});
paintSlot(find(".ask__slot--target"), seat, next === "target", (slot) => {
if (!everybody()) point(find(".ask__face use", slot), "a-" + seat.dataset.animal);
});
find("#hand").classList.toggle("is-next", next === "class");
find("#ring").classList.toggle("is-next", next === "target");
const text = find("#words"), line = next === "class" && seat && !everybody() ? "only" : next;
text.textContent = fill(text.dataset[line], { ...option?.dataset, ...seat?.dataset });
text.dataset.say = fill(text.dataset[line + "Say"], { ...option?.dataset, name: seat?.dataset.say });
const go = find("#go");
if (next === "ask") go.removeAttribute("aria-disabled");
else go.setAttribute("aria-disabled", "true");
}
function paintSlot(slot, full, next, draw) {
slot.classList.toggle("is-full", Boolean(full));
slot.classList.toggle("is-next", next);
if (full) draw(slot);
}
function paintTraits(fan, next) {
const row = find("#traits");
if (!row) return;
row.classList.toggle("is-next", next === "option");
const signs = words(fan?.dataset.signs);
all(".trait", row).forEach((button, i) => {
button.setAttribute("aria-pressed", String(chosen.traits.includes(i)));
button.toggleAttribute("aria-disabled", !fan);
if (!fan) button.setAttribute("aria-disabled", "true");
if (signs[i]) point(find("use", button), signs[i]);
});
}
function paintOptions(fan, next) {
const list = find("#opts");
if (!list || find("#traits")) return;
const options = optionsOf(fan), open = options.length > 1;
list.classList.toggle("opts--open", open && next === "option");
for (const one of list.children) {
one.hidden = !open || !options.includes(one.value);
one.setAttribute("aria-pressed", String(one.value === chosen.class));
}
}
const point = (use, symbol) => use.setAttribute("href", use.getAttribute("href").replace(/#.*/, "#" + symbol));
function pick(button, byKey) {
if (!can(button)) return;
const taken = taking[pickable(button)](button);
paintPicks();
const next = nextPick();
say(find("#words").dataset.say, find("#words").textContent);
if (byKey && taken) focusOn(({ ask: find("#go"), target: seats().find(can), class: fans().find(can), option: all(".trait,.opt:not([hidden])").find(can) })[next]);
}
const pickable = (button) => ["fan", "seat", "trait", "opt"].find((kind) => button.classList.contains(kind));
const taking = {
fan(button) {
const key = button.dataset.fan, options = optionsOf(button);
chosen.fan = chosen.fan === key ? "" : key;
chosen.class = chosen.fan && options.length === 1 ? options[0] : "";
chosen.traits = [];
return chosen.fan;
},
trait(button) {
const i = all("#traits .trait").indexOf(button), had = chosen.traits.includes(i);
chosen.traits = had ? chosen.traits.filter((one) => one !== i) : [...chosen.traits, i].slice(-2);
const key = [...chosen.fan].map((sign, at) => (chosen.traits.includes(at) ? sign : ".")).join("");
chosen.class = chosen.traits.length === 2 && optionsOf(fanOf(chosen.fan)).includes(key) ? key : "";
return chosen.class;
},
opt(button) {
chosen.class = chosen.class === button.value ? "" : button.value;
return chosen.class;
},
seat(button) {
chosen.target = chosen.target === button.value && seats().filter(can).length > 1 ? "" : button.value;
return chosen.target;
},
};
const focusOn = (element) => element?.focus({ preventScroll: false });
function nudge() {
const next = nextPick();
const there = { class: fans(), option: all("#traits .trait,#opts .opt:not([hidden])"), target: seats() }[next] || [];
for (const one of there) if (can(one)) hop(one);
sayOf(find("#words"));
}
const foursOf = (sheet) => words(sheet.dataset.fours).map((four) => four.split("."));
function takeCard(button) {
const sheet = button.closest(".sheet");
if (!can(button)) return;
const taken = all('.single[aria-pressed="true"]', sheet).map((one) => one.value);
paintSheet(sheet, taken.includes(button.value) ? taken.filter((one) => one !== button.value) : [...taken, button.value]);
}
function paintSheet(sheet, taken) {
const fours = foursOf(sheet), ready = taken.length === 4;
const open = new Set(fours.filter((four) => taken.every((card) => four.includes(card))).flat());
const singles = all(".single", sheet);
for (const one of singles) {
const mine = taken.includes(one.value);
one.setAttribute("aria-pressed", String(mine));
if (mine || (!ready && open.has(one.value))) one.removeAttribute("aria-disabled");
else one.setAttribute("aria-disabled", "true");
}
find(".sheet__stays b", sheet).textContent = singles.length - taken.length;
find('[name="cards"]', sheet).value = ready ? taken.join(" ") : "";
const go = find(".btn--go:not(.sheet__shut)", sheet);
if (ready) go.removeAttribute("aria-disabled");
else go.setAttribute("aria-disabled", "true");
sheet.classList.toggle("is-ready", ready);
}
function shutSheets() {
const open = all("details.sheet[open]");
for (const sheet of open) {
sheet.open = false;
focusOn(find("summary", sheet));
}
return open.length > 0;
}
const still = matchMedia("(prefers-reduced-motion: reduce)");
const air = () => find("#air");
const queue = []; // pictures that wait to be shown: {steps, text, rests}
let playing = false;
let newest = -1; // number of the newest picture that has arrived
let besides = -1; // how much had happened at its table besides moves
let told = -1; // number of the last move whose steps were taken into the queue
let away = false; // the page was hidden, or its child away, since the last picture: what was missed is not replayed
let moving = new Set(); // animations that a tap may hurry
let rush = signal();
function signal() {
let fire;
const fired = new Promise((resolve) => { fire = resolve; });
return { fired, fire };
}
const pace = () => (queue.length > 1 ? .55 : 1);
const wait = (ms) => Promise.race([new Promise((resolve) => setTimeout(resolve, ms * pace())), rush.fired]);
function hurry() {
hush();
rush.fire();
for (const motion of moving) motion.finish();
}
function animate(element, frames, options) {
const motion = element.animate(frames, { fill: "both", ...options, duration: options.duration * pace(), delay: (options.delay || 0) * pace() });
moving.add(motion);
return motion.finished.catch(() => {}).finally(() => moving.delete(motion));
}
const hop = (element) => element && !still.matches && animate(element, [
{ transform: "none" }, { transform: "translateY(-14px)", offset: .4 }, { transform: "none" },
], { duration: 420, easing: "ease-out", fill: "none" });
const seatOf = (seat) => find(`#seat-${seat}`) || find("#me");
const isMe = (seat) => String(seat) === table().dataset.me;
const middle = (element) => {
const box = element.getBoundingClientRect();
return { x: box.left + box.width / 2, y: box.top + box.height / 2, w: box.width, h: box.height };
};
const padOf = (seat) => middle(find(".pad", seatOf(seat)));
const pondAt = () => { const at = middle(find("#pond")); return { ...at, y: at.y - 6 }; };
const myFan = (about) => fanOf(about.fan || about.class) || fanOf(about.has);
function cardsOf(seat, about) {
if (!isMe(seat)) return padOf(seat);
const fan = about && myFan(about);
if (fan) return middle(fan);
const hand = find("#hand").getBoundingClientRect();
return { x: hand.left + hand.width / 2, y: Math.min(hand.top + 90, innerHeight - 60) };
}
function put(element, at, turn = 0, size = 1) {
air().append(element);
const box = element.getBoundingClientRect();
element.style.transform = `translate(${at.x - box.width / 2}px,${at.y - box.height / 2}px) rotate(${turn}deg) scale(${size})`;
return element;
}
const placed = (element, at, turn, size) => {
const w = element.offsetWidth ?? element.clientWidth, h = element.offsetHeight ?? element.clientHeight; // a drawing has no offsets
return `translate(${at.x - w / 2}px,${at.y - h / 2}px) rotate(${turn}deg) scale(${size})`;
};
function fly(card, from, to, { delay = 0, size = 1, end = .7, turn = 0, time = 700, there = false } = {}) {
put(card, from);
if (still.matches) { card.style.transform = placed(card, to, turn, 1); return wait(900); }
const over = { x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) - 50 + Math.abs(from.y - to.y) * .3 };
setTimeout(() => sound("slide"), delay);
return animate(card, [
{ transform: placed(card, from, there ? 0 : -8, size * (there ? 1 : .6)), opacity: there ? 1 : 0 },
{ transform: placed(card, from, there ? 0 : -4, size), opacity: 1, offset: .12 },
{ transform: placed(card, over, turn + 6, size * 1.1), opacity: 1, offset: .55 },
{ transform: placed(card, to, turn, end), opacity: 1 },
], { duration: time, delay, easing: "cubic-bezier(.45,.05,.35,1)" });
}
function bubble(step, seat) {
const balloon = find(".say", step)?.cloneNode(true);
if (!balloon) return;
for (const old of all(`[data-by="${seat}"]`, air())) old.remove();
balloon.dataset.by = seat;
const pad = padOf(seat);
air().append(balloon);
const { offsetWidth: w, offsetHeight: h } = balloon, gap = pad.w / 2 + 6, level = pad.y - h / 2 - 8;
const over = Math.min(Math.max(pad.x - w / 2, 6), innerWidth - w - 6);
const places = {
r: new DOMRect(pad.x + gap, level, w, h),
l: new DOMRect(pad.x - gap - w, level, w, h),
up: new DOMRect(over, Math.max(pad.y - pad.h / 2 - h - 12, 6), w, h),
};
const faces = all(".seat .pad").filter((one) => !seatOf(seat).contains(one)).map((one) => one.getBoundingClientRect());
const side = isMe(seat) ? "up" : ["r", "l"].find((one) => fits(places[one], faces)) || "up", at = places[side];
balloon.classList.add("say--" + side);
for (const old of all(".say", air())) if (old !== balloon && meet(old.getBoundingClientRect(), at)) old.remove();
balloon.style.translate = `${at.x}px ${at.y}px`;
if (!still.matches) animate(balloon, [{ scale: .6, opacity: 0 }, { scale: 1, opacity: 1 }], { duration: 420, easing: "cubic-bezier(.3,1.45,.5,1)" });
}
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const fits = (box, others) => box.left >= 6 && box.right < innerWidth - 6 && !others.some((other) => meet(other, box));
function tell(step, spoken = true) {
const bar = find("#tell"), words = find(".told", step);
bar.replaceChildren(...all(".step__bar > *", step).map((part) => part.cloneNode(true)));
if (words) {
bar.append(words.cloneNode(true));
find("#heard").textContent = words.textContent;
}
bar.hidden = !bar.children.length;
return spoken && words ? sayOf(words) : Promise.resolve();
}
function count(step) {
const hands = words(step.dataset.hands); // none where nobody can tell from which pile they went
hands.forEach((number, seat) => {
const badge = find(`#seat-${seat} .seat__n`), backs = find(`#seat-${seat} .seat__backs use`);
if (badge) badge.textContent = number;
if (backs && number !== "0") point(backs, "backs-" + Math.min(9, number));
});
const pond = Number(step.dataset.pond), drawn = find(".pond__cards use");
find(".pond__n").textContent = pond;
if (drawn?.getAttribute("href").includes("#pond-") && pond) point(drawn, "pond-" + (pond > 12 ? "many" : pond > 5 ? "some" : pond > 1 ? "few" : "one"));
}
function light(seat, look) {
for (const one of all("." + look, table())) one.classList.remove(look);
for (const one of [seat].flat()) seatOf(one).classList.add(look);
}
const cards = (step) => all(".step__cards .card", step).map((card) => card.cloneNode(true));
async function cast(seat) {
const from = padOf(seat), to = pondAt();
if (still.matches) return;
const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
svg.classList.add("cast");
path.setAttribute("d", `M${from.x} ${from.y - 20}C${(from.x * 2 + to.x) / 3} ${to.y - 190} ${to.x} ${to.y - 230} ${to.x} ${to.y - 40}`);
for (const [name, value] of [["fill", "none"], ["stroke", "#fffaf0"], ["stroke-width", "2.5"], ["stroke-linecap", "round"], ["pathLength", "1"], ["stroke-dasharray", "1"]]) path.setAttribute(name, value);
svg.append(path);
air().append(svg);
const hook = find("#hooks").content.firstElementChild.cloneNode(true), rings = document.createElement("i");
rings.className = "rings";
animate(path, [{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: 520, easing: "ease-out" });
put(hook, { x: to.x, y: to.y - 150 });
await animate(hook, [
{ transform: placed(hook, { x: to.x, y: to.y - 190 }, 0, 1), opacity: 0 },
{ transform: placed(hook, { x: to.x, y: to.y - 34 }, 0, 1), opacity: 1 },
], { duration: 620, easing: "cubic-bezier(.45,.05,.35,1)" });
sound("drop");
put(rings, { x: to.x, y: to.y + 6 });
animate(rings, [{ transform: placed(rings, to, 0, .3), opacity: .9 }, { transform: placed(rings, to, 0, 1.5), opacity: 0 }], { duration: 900, easing: "ease-out" });
await wait(260);
}
async function rise(card, face) {
const at = { ...pondAt(), y: pondAt().y - 10 };
put(card, at);
card.classList.add("card--glow");
if (still.matches) { if (face) card.replaceWith(put(face, at)); return face || card; }
await animate(card, [{ transform: placed(card, { ...at, y: at.y + 46 }, -7, .7), opacity: 0 }, { transform: placed(card, at, -4, 1.15), opacity: 1 }], { duration: 420, easing: "cubic-bezier(.2,.8,.3,1)" });
return face ? turnOver(card, face, at) : card;
}
async function turnOver(card, face, at) {
sound("slide");
const flat = (element) => placed(element, at, -4, 1.15) + " scaleX(.02)";
await animate(card, [{ transform: placed(card, at, -4, 1.15) }, { transform: flat(card) }], { duration: 160, easing: "ease-in" });
face.classList.add("card--glow");
put(face, at);
card.remove();
await animate(face, [{ transform: flat(face) }, { transform: placed(face, at, 0, 1.25) }], { duration: 200, easing: "ease-out" });
return face;
}
function makeBack() {
const back = document.createElement("span");
back.className = "card card--back";
return back;
}
async function tapPond() {
const pond = find("#pond"), bar = find("#tell"), words = document.createElement("p");
words.className = "told";
words.textContent = pond.dataset.words;
bar.replaceChildren(find("#hooks").content.lastElementChild.cloneNode(true), words);
bar.hidden = false;
find("#heard").textContent = words.textContent;
pond.classList.add("is-now");
say(pond.dataset.say, pond.dataset.words);
await wait(4000);
pond.classList.remove("is-now");
}
function boatOf(seat) {
const boat = find(".boat", seatOf(seat));
return boat && boat.checkVisibility() ? middle(boat) : null;
}
const shelfOf = (seat) => (isMe(seat) ? middle(find("#shelf") || find("#me")) : padOf(seat));
async function wish(at) {
const star = find("#hooks").content.querySelector(".wish").cloneNode(true);
sound("wish");
put(star, { x: at.x, y: at.y - 150 });
if (still.matches) return;
await animate(star, [
{ transform: placed(star, { x: at.x, y: at.y - 20 }, 0, .3), opacity: 0 },
{ transform: placed(star, { x: at.x, y: at.y - 150 }, -6, 1.25), opacity: 1, offset: .6 },
{ transform: placed(star, { x: at.x, y: at.y - 140 }, 0, 1.1), opacity: 1 },
], { duration: 900, easing: "cubic-bezier(.2,.8,.3,1)" });
}
function spread(seat) {
const at = pondAt(), number = Math.min(Number(find(".seat__n", seatOf(seat))?.textContent || all("#hand .card").length) || 1, 9);
const gap = Math.min(64, (innerWidth - 120) / number);
return Array.from({ length: number }, (_, i) => {
const off = i - (number - 1) / 2;
return put(makeBack(), { x: at.x + off * gap, y: at.y - 10 + Math.abs(off) * 6 }, off * 5, 1.1);
});
}
async function tapBack(backs) {
const bar = find("#tell"), line = document.createElement("p"), pond = find("#pond");
line.className = "told";
line.textContent = "Take one!";
bar.replaceChildren(find("#hooks").content.lastElementChild.cloneNode(true), line);
bar.hidden = false;
find("#heard").textContent = line.textContent;
say("take-one", line.textContent);
pond.classList.add("is-now");
let taken = null;
const choose = (event) => {
taken = backs.find((back) => {
const box = back.getBoundingClientRect();
return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
}) || taken;
};
document.addEventListener("pointerdown", choose, true);
await wait(5000);
document.removeEventListener("pointerdown", choose, true);
pond.classList.remove("is-now");
return taken || backs[Math.floor(backs.length / 2)];
}
const rare = {
async thought({ seat, step }) {
clearAir();
bubble(step, seat);
await Promise.all([tell(step), wait(1600)]);
clearAir();
},
async bait({ seat, other, step }) {
const card = cards(step)[0], at = padOf(other), from = cardsOf(seat, { fan: step.dataset.fan });
const talking = tell(step);
await fly(card, isMe(seat) ? from : padOf(seat), isMe(other) ? pondAt() : at, { end: isMe(other) ? 1.4 : .6 });
await Promise.all([talking, wait(isMe(other) ? 1600 : 500)]);
await fly(card, isMe(other) ? pondAt() : at, isMe(seat) ? from : padOf(seat), { end: .6, there: true });
card.remove();
},
async howmany({ seat, step }) {
bubble(step, seat);
sound("turn");
await Promise.all([tell(step), wait(1000)]);
},
async named({ seat, step }) {
bubble(step, seat);
await Promise.all([tell(step), wait(900)]);
},
async picked({ seat, other, step, about }) {
clearAir();
const mine = isMe(seat), backs = spread(other);
const back = mine ? await tapBack(backs) : backs[Math.floor(backs.length / 2)];
const talking = mine ? null : tell(step), from = middle(back), face = cards(step).find((card) => !card.classList.contains("card--back"));
clearAir(back);
sound("slide");
const card = face && !still.matches ? await turnOver(back, face, from) : back;
count(step);
if (mine) await Promise.all([tell(step), wait(900)]);
await fly(card, from, cardsOf(seat, about), { end: mine ? 1.2 : .55, size: 1.2, there: true });
await talking;
clearAir();
},
async replaced({ seat, step, about }) {
const card = cards(step)[0];
await fly(card, pondAt(), cardsOf(seat, about), { end: isMe(seat) ? 1.2 : .55 });
count(step);
await Promise.all([isMe(seat) ? tell(step) : null, wait(300)]);
clearAir();
},
async hidden({ step }) {
clearAir();
await Promise.all([tell(step), wait(900)]);
},
async layoff({ seat, step, about }) {
const card = cards(step)[0], shelf = shelfOf(seat), talking = tell(step);
await fly(card, cardsOf(seat, about), { x: pondAt().x, y: pondAt().y - 10 }, { end: 1.2 });
count(step);
await Promise.all([talking, wait(600)]);
await fly(card, pondAt(), shelf, { end: .3, there: true });
clearAir();
},
async baited({ seat, step }) {
const talking = tell(step), from = boatOf(seat) || padOf(seat), to = cardsOf(seat);
await Promise.all(cards(step).map((card, i) => fly(card, from, { x: to.x + (isMe(seat) ? i * 60 - 120 : 0), y: to.y }, { delay: i * 150, end: isMe(seat) ? 1.1 : .5 })));
await Promise.all([talking, wait(400)]);
clearAir();
},
async declared({ seat, step }) {
clearAir();
bubble(step, seat);
await Promise.all([tell(step), wait(1600)]);
},
claimed: (what) => shows.book(what),
async paid({ seat, step }) {
await fly(cards(step)[0], pondAt(), boatOf(seat) || cardsOf(seat), { end: .6 });
await Promise.all([tell(step), wait(300)]);
clearAir();
},
async lost({ step }) {
clearAir();
const lost = find(".lost"), at = lost ? middle(lost) : pondAt(), turned = [];
for (const [i, face] of cards(step).entries()) {
const back = put(makeBack(), at), there = { x: pondAt().x + i * 80, y: pondAt().y - 10 };
await fly(back, at, there, { end: 1.2, there: true });
turned.push(still.matches ? (back.replaceWith(put(face, there)), face) : await turnOver(back, face, there));
}
lost?.classList.add("is-gone");
await Promise.all([tell(step), wait(1600)]);
clearAir();
},
};
for (const kind of ["retired", "left", "passed"]) {
rare[kind] = async ({ seat, step }) => {
hop(find(".pad", seatOf(seat)));
await Promise.all([tell(step), wait(700)]);
};
}
const shows = {
async asked({ seat, other, step }) {
air().replaceChildren();
light(other ?? seats().map((one) => one.value), "is-picked");
const mine = isMe(seat);
bubble(step, seat);
hop(find(".pad", seatOf(seat)));
await Promise.all([tell(step, !mine), wait(mine ? 800 : 1500)]);
},
async gave({ seat, other, step, about }) {
bubble(step, seat);
sound("catch");
const talking = tell(step), from = cardsOf(seat, about), to = boatOf(other) || cardsOf(other, about);
await wait(500);
if (isMe(seat)) myFan(about)?.classList.add("is-gone");
await Promise.all(cards(step).map((card, i) => fly(card, from, { x: to.x + i * 14, y: to.y }, { delay: i * 150, turn: i * 5, end: isMe(other) ? 1.2 : .6 })));
count(step);
hop(find(".pad", seatOf(other)));
await Promise.all([talking, wait(600)]);
clearAir();
},
async gofish({ seat, step }) {
bubble(step, seat);
sound("gofish");
await Promise.all([tell(step), wait(1200)]);
},
async fished({ seat, step, next, about }) {
const mine = isMe(seat), lucky = next?.dataset.kind === "lucky";
clearAir();
if (mine) await tapPond();
const talking = mine ? null : tell(step);
await cast(seat);
const face = cards(step).find((card) => !card.classList.contains("card--back"));
const card = await rise(makeBack(), lucky ? null : face);
count(step);
if (lucky) { card.dataset.held = ""; return; }
if (mine) await Promise.all([tell(step), wait(900)]);
const to = cardsOf(seat, about);
card.classList.remove("card--glow");
await fly(card, { ...pondAt(), y: pondAt().y - 10 }, to, { end: mine ? 1.2 : .55, size: 1.2, there: true });
await talking;
clearAir();
},
async lucky({ seat, step, about }) {
const held = find("[data-held]", air()), face = cards(step)[0], at = pondAt();
sound("catch");
const shown = held && !still.matches ? await turnOver(held, face, at) : put(face, at);
clearAir(shown);
if (find(".pot", table())) await wish(at);
await Promise.all([tell(step), wait(1300)]);
for (const star of all(".wish", air())) star.remove();
await fly(shown, { ...at, y: at.y - 10 }, cardsOf(seat, about), { end: isMe(seat) ? 1.2 : .6, size: 1.2, there: true });
clearAir();
},
async book({ seat, step, about }) {
clearAir();
const talking = tell(step), from = cardsOf(seat, about), at = pondAt(), four = cards(step);
myFan(about)?.classList.toggle("is-gone", isMe(seat));
await Promise.all(four.map((card, i) => fly(card, from, { x: at.x + (i - (four.length - 1) / 2) * 62, y: at.y - 10 + Math.abs(i - (four.length - 1) / 2) * 8 }, { delay: i * 120, turn: (i - (four.length - 1) / 2) * 9, end: 1.2 })));
sound("book");
for (const card of four) card.classList.add("card--glow");
hop(find(".pad", seatOf(seat)));
await Promise.all([talking, wait(1100)]);
const shelf = shelfOf(seat);
if (!still.matches) await Promise.all(four.map((card) => animate(card, [{}, { transform: placed(card, shelf, 0, .3), opacity: .2 }], { duration: 520, easing: "ease-in" })));
count(step);
clearAir();
},
async refilled({ seat, step }) {
const talking = tell(step), from = pondAt(), to = cardsOf(seat);
await Promise.all(cards(step).map((card, i) => fly(card, from, { x: to.x + (isMe(seat) ? i * 60 - 120 : 0), y: to.y }, { delay: i * 150, end: isMe(seat) ? 1.1 : .55 })));
count(step);
await Promise.all([talking, wait(400)]);
clearAir();
},
...rare,
async turn({ seat, other, step }) {
clearAir();
const lily = find(".pad__lily", seatOf(seat)), to = padOf(other), from = lily && middle(lily);
light(other, "is-turn");
if (isMe(other)) sound("turn");
if (from && !still.matches) {
const flower = lily.cloneNode(true);
flower.setAttribute("class", "lilyfly");
lily.remove();
const land = { x: to.x + to.w * .36, y: to.y - to.h * .34 };
put(flower, from);
await animate(flower, [
{ transform: placedBox(flower, from) }, { transform: placedBox(flower, { x: (from.x + land.x) / 2, y: Math.min(from.y, land.y) - 40 }), offset: .5 }, { transform: placedBox(flower, land) },
], { duration: 620, easing: "ease-in-out" });
}
if (isMe(other)) await Promise.all([tell(step), wait(700)]);
},
async over({ step }) {
clearAir();
await Promise.all([tell(step), wait(1400)]);
},
};
const placedBox = (element, at) => {
const box = element.getBoundingClientRect();
return `translate(${at.x - box.width / 2}px,${at.y - box.height / 2}px)`;
};
const clearAir = (keep) => { for (const one of [...air().children]) if (one !== keep) one.remove(); };
async function show(step, next) {
rush = signal();
const { kind, seat, other } = step.dataset;
try {
await shows[kind]({ step, next, seat, other, about: step.dataset });
} catch (error) {
console.error(error); // a step that cannot be shown is skipped: the picture comes anyway
clearAir();
}
}
function arrive(next, text) {
const v = Number(next.dataset.v), w = Number(next.dataset.w);
if (v < newest || w < besides) return false; // an older picture came late
besides = w;
let steps = all("#steps > li", next).filter((step) => Number(step.dataset.seq) > told && shows[step.dataset.kind]);
newest = v;
told = Math.max(told, v);
if (away && !document.hidden) { // back again: at most the last move, not minutes of them
const last = steps.at(-1)?.dataset.seq;
steps = steps.filter((step) => step.dataset.seq === last);
away = false;
}
if (!playing && !asking() && (!steps.length || document.hidden)) return true;
cover(next);
queue.push({ steps, text, rests: Boolean(find(".rest--now", next)) });
play();
return false;
}
async function play() {
if (playing || asking() || !queue.length) return;
playing = true;
let over = false;
while (queue.length) {
const { steps, text, rests } = queue.shift();
for (const [i, step] of steps.entries()) {
await calm();
if (document.hidden || away || !table().classList.contains("table")) break;
table().classList.add("is-playing");
await show(step, steps[i + 1]);
}
over ||= steps.some((step) => step.dataset.kind === "over");
await calm();
clearAir();
if (rests && queue.length) continue; // the class went on meanwhile
await htmx.swap({ sourceElement: find("#live"), target: table(), swap: "outerMorph", text, played: true });
if (queue.length && !over && momentNow() === "waiting") await wonder(); // else after the last
if (queue.length) table().classList.add("is-playing");
}
playing = false;
if (over) await tally();
refresh();
wonder();
}
async function workOut(row) {
const sum = find(".endsum", row);
if (sum) {
rush = signal();
sum.classList.add("is-counted");
sound("drop");
await Promise.all([sayOf(sum), wait(1200)]);
for (const book of all(".endrow__book--taken", row).reverse()) {
book.classList.add("is-taken");
sound("slide");
await wait(450);
}
}
find(".endrow__n", row).classList.add("is-counted");
if (sum) await Promise.all([say(sum.dataset.totalSay), wait(700)]);
}
async function tally() {
const list = find("#tally");
if (!list) return;
playing = true;
list.classList.add("is-counting");
for (const row of list.children) {
row.classList.add("is-now");
for (const book of all(".endrow__book", row)) {
rush = signal();
book.classList.add("is-counted");
sound("tap");
await Promise.all([say("n-" + book.dataset.count), wait(620)]);
}
await workOut(row);
find("#heard").textContent = row.getAttribute("aria-label");
await wait(350);
row.classList.remove("is-now");
}
list.classList.remove("is-counting");
playing = false;
sound("book");
sayOf(find("#made"));
}
htmx.registerExtension("newest", {
htmx_before_swap(source, { ctx, tasks }) {
const task = tasks.find((one) => one.target?.id === "table");
const next = task && !ctx.played && find("#table", task.fragment);
if (next && source?.id === "live" && next.dataset.v === table().dataset.v && next.dataset.w === table().dataset.w) return false;
if (next && !arrive(next, ctx.text)) return false;
},
htmx_before_morph_node(old, { newNode }) {
if (old.id === "table" && Number(newNode.dataset?.v) < Number(old.dataset.v)) return false;
},
});
let heardAt = Date.now(); // when a picture last came, by whatever way
let etag = "";
let broken = false; // the stream failed; it is asked for by polling until it is back
let prompts = 0, idleSince = Date.now();
let byKeys = false, focused = "";
let turn = { at: Date.now() }; // since when this has been the thing to do
let going = null; // where the page could have gone when it was loaded
let heard = ""; // what a page without a table has said last
let wokeAt = -1; // how much had happened besides moves when a touch woke the seat
let waking = false; // the touch that wakes is no tap on what lies below
function refresh() {
paintSound();
follow();
if (!table()) { hearPage(); return; }
if (newest < 0) { newest = told = Number(table().dataset.v); besides = Number(table().dataset.w); }
if (playing) return;
readPicks();
paintPicks();
showHint();
rest();
if (table().dataset.next !== turn.next || table().dataset.v !== turn.v) turn = { ...table().dataset, at: Date.now() };
const notice = find("#notice");
if (notice && !notice.dataset.read) {
notice.dataset.read = "";
sayOf(notice);
setTimeout(() => notice.remove(), 5000);
}
if (byKeys && document.activeElement === document.body) {
focusOn(document.getElementById(focused) || fans().find(can) || find("#again") || table());
}
touched();
prompts = 0;
}
function follow() {
const go = find("[data-go]")?.dataset.go;
if (go === undefined) return;
going ??= go;
if (go && go !== going) location.assign(go);
}
function rest() {
if (!find("#wake") || besides !== wokeAt) document.body.classList.remove("is-back");
const words = find("body:not(.is-back) #resting"), below = [find("#question"), find("#board")];
for (const part of table().children) part.inert = Boolean(words) && part.id !== "rest" && !part.matches(".table__top");
for (const part of below) if (part) part.inert = Boolean(words);
table().inert = !words && below.some((part) => part?.childElementCount);
if (words && words.dataset.say !== heard) sayOf(words);
heard = words?.dataset.say || "";
}
function cover(next) {
const old = find("#rest"), over = find("#rest", next);
const now = over?.matches(asking() ? ".rest--now,.rest--asleep" : ".rest--now");
if (now || !over || old?.matches(".rest--now")) old?.remove();
if (now) {
table().append(over.cloneNode(true));
htmx.process(find("#rest"));
hurry();
}
rest();
}
async function calm() {
while (find(".rest--now")) await pause(100);
}
function wakeUp(event) {
waking = false;
const form = find("#wake");
if (!form || "sent" in form.dataset || event.target.closest?.("a,#sound")) return;
if (event.type === "keydown") {
event.stopImmediatePropagation();
if (event.key === "Enter" || event.key === " ") event.preventDefault();
} else waking = true;
wokeAt = besides;
document.body.classList.add("is-back");
comeBack(form);
away = true;
hurry();
rest();
}
function comeBack(form) {
form.dataset.sent = "";
form.requestSubmit();
}
function hearPage() {
const words = find("#friends [data-say]");
if (words && heard && words.dataset.say !== heard) sayOf(words);
heard = words?.dataset.say || heard;
}
function showHint() {
for (const one of all(".is-hinted")) one.classList.remove("is-hinted");
const hint = find("#hint [data-lit]");
if (!hint) return;
for (const id of words(hint.dataset.lit)) document.getElementById(id)?.classList.add("is-hinted");
if (!("read" in hint.dataset)) { hint.dataset.read = ""; sayOf(find(".told", hint)); }
}
let shutting = 0; // the timer of a board that shuts itself
function boardOpened() {
focusOn(find("#shut"));
const seconds = Number(find("#board").dataset.seconds);
clearTimeout(shutting);
if (seconds) shutting = setTimeout(shutBoard, seconds * 1000);
}
function shutBoard() {
clearTimeout(shutting);
const board = find("#board");
if (!board?.childElementCount) return;
const empty = document.createElement("div");
empty.id = "board";
board.replaceWith(empty);
rest();
focusOn(find("#line"));
}
function waits(now) {
const sign = find("#lost");
if (sign) sign.hidden = !now;
}
function kept(event) {
if (navigator.onLine || !find("#lost")) return false;
event.preventDefault();
event.stopImmediatePropagation();
waits(true);
return true;
}
document.addEventListener("click", (event) => {
if (waking) { event.preventDefault(); event.stopImmediatePropagation(); waking = false; return; }
const button = event.target.closest?.("button,a,summary,.ask__slot,.pond,.veil");
if (button?.matches("a[href]:not([href^='#'],#shut)") && kept(event)) return;
if (button?.id === "sound") { toggleSound(); return; }
if (playing && !asking() && !button?.matches("a,#sound") && !find("#board > *")) {
event.preventDefault();
event.stopPropagation();
hurry();
return;
}
if (!button) return;
if (button.id === "shut" && table()) { event.preventDefault(); shutBoard(); }
else if (button.matches(".sheet__shut,.veil--sheet")) { if (button.matches("a") || event.target === button) { event.preventDefault(); shutSheets(); } }
else if (button.matches(".veil") && event.target === button) shutBoard();
else if (button.matches(".single")) { event.preventDefault(); takeCard(button); }
else if (button.matches(".fan,.trait,.opt,.ring .seat")) { event.preventDefault(); pick(button, event.detail === 0); }
else if (button.matches("[aria-disabled=true]")) event.preventDefault();
else if (button.matches(".ask__slot")) nudge();
}, true);
document.addEventListener("toggle", (event) => {
if (event.target.matches?.(".sheet[open]")) {
idleSince = Date.now();
sayOf(find(".sheet__words", event.target));
}
}, true);
document.addEventListener("submit", (event) => {
if (!event.target.hasAttribute("hx-post") && kept(event)) return;
if (!("move" in event.target.dataset)) return;
const unready = event.target.id === "ask" && nextPick() !== "ask";
if ((playing && !asking()) || unready || event.target.matches(".is-busy")) {
event.preventDefault();
event.stopImmediatePropagation();
if (!playing && unready) nudge();
return;
}
hush();
event.target.classList.add("is-busy");
}, true);
document.addEventListener("keydown", (event) => {
byKeys = true;
touched();
if (event.key === "Escape") { if (asking()) return; if (playing) hurry(); else if (!shutSheets()) shutBoard(); }
if (playing && !asking() && (event.key === "Enter" || event.key === " ") && !event.target.closest("a,#sound,.veil")) {
event.preventDefault();
if (!event.repeat) hurry();
}
const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], here = event.target.closest?.(".fan,.ring .seat,.trait,.single");
if (step && here) {
const row = here.matches(".fan") ? fans() : here.matches(".seat") ? seats() : all(".trait,.single", here.parentElement);
focusOn(row[(row.indexOf(here) + step + row.length) % row.length]);
event.preventDefault();
}
});
document.addEventListener("pointerdown", () => { byKeys = false; touched(); });
document.addEventListener("focusin", (event) => { if (event.target.id) focused = event.target.id; });
document.addEventListener("htmx:after:swap", ({ detail }) => {
if (detail.ctx.target?.id === "board") boardOpened();
refresh();
if (detail.ctx.target?.id === "question") questionChanged();
});
document.addEventListener("htmx:sse:after:message", () => { heardAt = Date.now(); broken = false; });
document.addEventListener("htmx:sse:error", () => { broken = true; });
document.addEventListener("htmx:sse:close", () => { broken = true; });
document.addEventListener("bye", () => location.reload());
document.addEventListener("enough", () => { if (!find("#live").dataset.part) setTimeout(() => location.reload(), 10000); });
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
if (ctx.sourceElement?.matches?.("[data-move],#wake")) ctx.request.timeout = 8000;
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
const form = ctx.sourceElement, button = ctx.submitter;
if (!form?.matches?.("[data-move].is-busy")) return;
const status = ctx.response?.status || 0;
if (status > 0 && status < 500) return;
waits(true);
setTimeout(() => {
if (!form.isConnected) return;
form.classList.remove("is-busy");
form.requestSubmit(button?.form === form ? button : undefined);
}, 1500);
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
const form = ctx.sourceElement, status = ctx.response?.status || 0;
if (form?.id !== "wake" || (status > 0 && status < 400)) return;
if (status >= 400 && status < 500) {
delete form.dataset.sent;
wokeAt = -1;
rest();
} else {
waits(true);
setTimeout(() => { const asleep = find(".is-back #wake"); if (asleep) comeBack(asleep); }, 1500);
}
});
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
if (ctx.response?.status < 500) waits(false);
});
async function poll() {
const live = find("#live");
if (live && !table() && live.dataset.part) return pollPage(live);
if (!live || document.hidden || !table() || table().dataset.next === "over") return;
const silent = Date.now() - heardAt;
const waiting = find(".rest--now") || ((!table().dataset.next || find("[data-move].is-busy")) && !playing);
if (!(broken || heardAt === loadedAt || waiting) || silent < (waiting ? 5000 : 3500)) return;
try {
const answer = await fetch(`${live.dataset.part}?seen=${told}`, {
cache: "no-store", headers: { "HX-Request": "true", ...(etag && { "If-None-Match": etag }) },
});
if ([401, 403, 404].includes(answer.status)) location.reload();
waits(false);
if (answer.status !== 200) return;
etag = answer.headers.get("ETag") || "";
await htmx.swap({ sourceElement: live, target: table(), swap: "outerMorph", text: await answer.text() });
} catch { broken = true; }
}
async function pollPage(live) {
if (document.hidden || !(broken || heardAt === loadedAt) || Date.now() - heardAt < 3500) return;
try {
const answer = await fetch(live.dataset.part, { cache: "no-store", headers: { "HX-Request": "true", ...(etag && { "If-None-Match": etag }) } });
if ([401, 403, 404].includes(answer.status)) location.reload();
if (answer.status !== 200) return;
etag = answer.headers.get("ETag") || "";
await htmx.swap({ sourceElement: live, target: find(live.getAttribute("hx-target")), swap: "outerMorph", text: await answer.text() });
} catch { broken = true; }
}
function nudgeTurn() {
const after = Number(table()?.dataset.nudge) * 1000;
if (!after || !table().dataset.next || table().dataset.next === "over" || playing || document.hidden || find("#rest")) return;
if (turn.nudged || Date.now() - turn.at < after) return;
turn.nudged = true;
table().classList.add("is-nudged");
sound("turn");
say("your-turn " + (find("#words")?.dataset.say || ""), find("#words")?.textContent);
hop(find("#me .pad"));
setTimeout(() => table()?.classList.remove("is-nudged"), 5000);
}
const IDLE_FOR_WORDS = 9000, IDLE_FOR_HELP = 12000; // ms without a touch
function prompt() {
const waiting = asking() ? !("found" in question().dataset) : table()?.dataset.next && !playing;
if (!waiting || document.hidden || find("#board > *")) return;
const idle = Date.now() - idleSince;
if (!asking()) find("#fish")?.classList.toggle("is-waving", idle >= IDLE_FOR_HELP);
if (prompts > 1 || idle < IDLE_FOR_WORDS * (prompts + 1)) return;
prompts += 1;
sayAgain();
if (asking()) hop(find(".q__fish"));
}
function touched() {
idleSince = Date.now();
find("#fish")?.classList.remove("is-waving");
}
const loadedAt = heardAt;
addEventListener("online", () => { broken = true; heardAt = 0; waits(false); poll(); });
document.addEventListener("visibilitychange", () => {
if (document.hidden) { away = true; hurry(); hush(); }
});
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
setInterval(poll, 1000);
setInterval(prompt, 1000);
setInterval(nudgeTurn, 1000);
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wakeUp, true);
let wondered = ""; // the moment the server was asked about last: turn, waiting or over
let shownAt = 0; // when the question could be seen first
let shut = null; // {done, fire}: resolved when the question is gone
const question = () => find("#question");
const asking = () => Boolean(find("#question > *"));
const momentNow = () => table().dataset.next && (table().dataset.next === "over" ? "over" : "turn") || "waiting";
async function wonder() {
const form = find("#wonder");
if (asking()) { await openQuestion(); return; }
if (!form || document.hidden || find("#rest") || momentNow() === wondered) return;
wondered = momentNow();
form.elements.seen.value = table().dataset.v;
try {
const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { "HX-Request": "true" } });
if (answer.status !== 200) return;
await htmx.swap({ sourceElement: form, target: question(), swap: "outerHTML", text: await answer.text() });
} catch { return; } // no question is no harm
await openQuestion();
}
function openQuestion() {
if (shut) return shut.fired;
if (!asking()) return Promise.resolve();
shut = signal();
shownAt = Date.now();
rest();
sayQuestion();
return shut.fired;
}
async function sayQuestion() {
const panel = find("#q"), brief = find(".q__one--brief", panel);
const first = find(".pick:not(:disabled),.take input:not(:disabled)", panel);
focusOn((byKeys && first) || panel);
paintGiving();
brief?.classList.add("is-shut");
await sayOf(find("#q-words"));
if (brief?.isConnected) {
brief.classList.remove("is-shut");
await pause(2000);
brief.classList.add("is-shut");
}
for (const nth of all(".q__nth", panel)) {
if (!nth.isConnected) return;
hop(nth.parentElement);
sound("tap");
await Promise.all([say("n-" + nth.textContent), pause(450)]);
}
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function questionChanged() {
if (!shut) return;
if (!asking()) { shutQuestion(); return; }
if (!("found" in question().dataset)) { sayQuestion(); return; }
sound("book");
hop(find(".q__fish"));
hop(find(".pick.is-right"));
const panel = find("#q");
await Promise.all([sayOf(find("#q-words")), pause(1500)]);
if (panel.isConnected) shutQuestion();
}
function shutQuestion() {
const empty = document.createElement("div");
empty.id = "question";
question().replaceWith(empty);
rest();
const over = shut;
shut = null;
over?.fire();
if (playing) return;
refresh();
if (queue.length) play();
else sayAgain();
}
document.addEventListener("click", (event) => {
if (find("#question[data-found]")?.contains(event.target) && event.target.closest("#q-on")) {
event.preventDefault();
shutQuestion();
}
}, true);
document.addEventListener("change", (event) => {
if (!event.target.matches?.(".take input")) return;
sound("slide");
paintGiving();
});
function paintGiving() {
const go = find("#q-give");
if (!go) return;
if (find(".take input:checked")) go.removeAttribute("aria-disabled");
else go.setAttribute("aria-disabled", "true");
}
document.addEventListener("submit", (event) => {
const took = event.target.elements?.took;
if (took) took.value = Math.max(0, Date.now() - shownAt);
}, true);
document.addEventListener("keydown", (event) => {
if (!asking()) return;
if (event.key === "Escape") { find("#q-on").click(); event.stopPropagation(); }
const here = event.target.closest?.(".pick,.take");
const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
if (!here || !step) return;
const row = here.matches(".take") ? all(".take input") : all(".pick:not(:disabled)");
const at = row.indexOf(here.matches(".take") ? find("input", here) : here);
focusOn(row[(at + step + row.length) % row.length]);
event.preventDefault();
});
function startDoor() {
const door = find("#door");
if (!door) return;
const code = door.elements.code, shells = all(".door__shell", door), pads = find(".pads", door);
const { fresh, kept, keptFirst } = door.dataset;
const length = () => Number(code.value.startsWith(keptFirst) ? kept : fresh);
const full = () => code.value.length >= length();
code.type = "hidden"; // typed by the keys of the page from here on
door.classList.add("is-ready");
const paint = () => {
door.classList.toggle("is-long", length() === shells.length);
find(".door__go", door).hidden = !full();
shells.forEach((shell, i) => {
shell.hidden = i >= length();
shell.textContent = code.value[i] || "";
shell.classList.toggle("is-set", i < code.value.length);
shell.classList.toggle("is-next", i === code.value.length);
});
};
const add = (sign) => {
if (full()) return;
code.value += sign;
paint();
if (full()) setTimeout(() => door.requestSubmit(), 350);
};
const back = () => { code.value = code.value.slice(0, -1); paint(); };
pads.addEventListener("click", (event) => {
const key = event.target.closest("button");
if (!key) return;
event.preventDefault();
if (key.value) add(key.value);
else back();
});
document.addEventListener("keydown", (event) => {
if (event.target === code || event.ctrlKey || event.metaKey || event.altKey) return;
const sign = event.key.toUpperCase();
if (event.key === "Backspace") back();
else if (sign.length === 1 && page.signs?.includes(sign)) add(sign);
else if (sign.length === 1 && find(`.key[value="${CSS.escape(sign)}"]`, pads)) add(sign);
});
paint();
}
function startPictures() {
const form = find("#pics");
if (!form) return;
const taken = [], pearls = all("#pearls .pearl");
for (const old of all("input[name^=p]", form)) old.remove(); // here all four are sent together
const paint = () => {
pearls.forEach((pearl, i) => {
pearl.classList.toggle("is-set", i < taken.length);
pearl.classList.toggle("is-next", i === taken.length);
});
find("#pearls").setAttribute("aria-label", `${taken.length} of ${pearls.length} pictures`);
find("#undo").hidden = !taken.length;
};
form.addEventListener("click", (event) => {
const picture = event.target.closest(".pic");
if (!picture) return;
event.preventDefault();
if (form.matches(".is-still") || taken.length >= pearls.length) return;
taken.push(picture.value);
paint();
if (taken.length < pearls.length) return;
taken.forEach((value, i) => {
const field = document.createElement("input");
form.append(Object.assign(field, { type: "hidden", name: `p${i + 1}`, value }));
});
setTimeout(() => form.submit(), 450);
});
find("#undo").addEventListener("click", (event) => { event.preventDefault(); taken.pop(); paint(); });
paint();
}
function startFill() {
const fill = find("#fill"), form = find("#pics");
if (!fill) return;
const seconds = Number(fill.dataset.seconds), full = find(".fill__full", fill);
form?.classList.add("is-still");
const done = () => { fill.closest(".again-card").remove(); form?.classList.remove("is-still"); sayAgain(); };
full.animate([{ clipPath: "inset(100% 0 0 0)" }, { clipPath: "inset(0 0 0 0)" }], { duration: seconds * 1000, fill: "both" });
setTimeout(done, seconds * 1000);
}
function greet() {
const first = find("[data-greet]");
if (!first) return;
if (document.referrer.startsWith(location.origin)) wake();
setTimeout(() => { if (!first.dataset.read) { first.dataset.read = ""; sayOf(first); } }, 400);
}
function startNamed() {
for (const form of all("form[data-then-go]")) form.addEventListener("submit", async (event) => {
if (!awake()) return;
event.preventDefault();
if (form.matches(".is-busy")) return;
form.classList.add("is-busy");
const longest = new Promise((resolve) => { setTimeout(resolve, 2500); });
await Promise.race([sayOf(find("[data-say]", form)), longest]);
form.submit();
});
}
function startScenes() {
if (!find(".scenes")) return;
addEventListener("hashchange", () => {
const scene = find(".scene:target") || find(".scene");
sayOf(find(".scene__words", scene));
if (byKeys) focusOn(find(".scene__next", scene));
});
}
document.addEventListener("DOMContentLoaded", () => {
startDoor();
startPictures();
startFill();
startNamed();
startScenes();
refresh();
greet();
if (table()) wonder();
});
})();
