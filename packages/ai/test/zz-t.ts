import { repairToolArguments as r } from "../src/utils/tool-repair/repairer.ts";
const S={type:"string"},I={type:"integer"}; const list=(items:any)=>({type:"array",items});
const arr=(n:number,f:any)=>Array.from({length:n},(_,i)=>f(i));
const ob=(n:number,f:any)=>Object.fromEntries(arr(n,f));
const t=(properties:any,required:string[]=[],x={})=>({name:"p",parameters:{type:"object",properties,required,...x}});
const cases:any={
 undeclaredText:(n:number)=>[t({}, [], {additionalProperties:false}), ob(n,(i:number)=>[`k${i}`,`v${i}`])],
 undeclaredSameText:(n:number)=>[t({a_b:S}, [], {additionalProperties:false}), {a_b:"v",...ob(n,(i:number)=>[`k${i}`,`v`])}],
 missingXkeys:(n:number)=>[t(ob(2*n,(i:number)=>[`f${i}`,S]), arr(2*n,(i:number)=>`f${i}`)), ob(n,(i:number)=>[`f${i}`,`<parameter name="zz">`+i])],
 missingListsXundeclared:(n:number)=>[t(ob(n,(i:number)=>[`f${i}`,list({type:"object",properties:{a:S},required:["a"]})]), arr(n,(i:number)=>`f${i}`)), ob(n,(i:number)=>[`g${i}`,`x`])],
 enumWords:(n:number)=>[t({f:list({enum:arr(n,(i:number)=>`word-${i}`)})}), {f:arr(n,(i:number)=>`WORD_${i}`)}],
 anyOfConst:(n:number)=>[t({f:{anyOf:arr(n,(i:number)=>({const:`word-${i}`}))}}), {f:`WORD_1`}],
 deepFaults:(n:number)=>{const tree={type:"object",properties:{size:I,child:{$ref:"#"}},additionalProperties:false}; let v:any={size:"1"}; for(let i=0;i<Math.min(n/40,100);i++) v={size:"1",child:v}; return [{name:"p",parameters:tree},v]},
 soft:(n:number)=>[{...t({path:S}),hints:{aliases:{path:["file"]}}}, ob(n,(i:number)=>[`k${i}`,`v${i}`])],
 softFile:(n:number)=>[{...t({path:S}),hints:{aliases:{path:["file"]}}}, {file:"x",...ob(n,(i:number)=>[`k${i}`,`v${i}`])}],
 unionItems:(n:number)=>[t({f:list({anyOf:[{type:"object",properties:{a:I},required:["a"]},{type:"object",properties:{b:I},required:["b"]}]})}),{f:arr(n,(i:number)=>i%2?{a:"1"}:{b:"1"})}],
 taggedItems:(n:number)=>[t({f:list({anyOf:[{type:"object",properties:{k:{const:"a"},a:I},required:["k","a"]},{type:"object",properties:{k:{const:"b"},b:I},required:["k","b"]}]})}),{f:arr(n,(i:number)=>i%2?{k:"a",a:"1"}:{k:"b",b:"1"})}],
 recursiveUnion:(n:number)=>{const s={type:"object",properties:{f:{$ref:"#/$defs/n"}},$defs:{n:{anyOf:[{type:"integer"},{type:"array",items:{$ref:"#/$defs/n"}},{type:"object",properties:{l:{$ref:"#/$defs/n"},r:{$ref:"#/$defs/n"}},required:["l","r"]}]}}}; let v:any="1"; for(let i=0;i<Math.min(n/100,100);i++) v={l:v,r:"2"}; return [{name:"p",parameters:s},{f:v}]},
 quotedLong:(n:number)=>[t({f:list(list(I))}),{f:JSON.stringify(arr(n,(i:number)=>[String(i)]))}],
};
for(const [k,f] of Object.entries(cases) as any){ const row=[]; for(const n of [500,2000,8000]){ const [tool,a]=f(n); let best=1e9,o; for(let i=0;i<(n>5000?1:3);i++){const s=performance.now(); try{o=r(tool,a).outcome;}catch(e){o="THROW "+String(e).slice(0,80);} best=Math.min(best,performance.now()-s);} row.push(`${n}: ${best.toFixed(1)}ms ${o}`);} console.log(k.padEnd(26),row.join(" | ")); }
