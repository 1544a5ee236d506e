// As long as the format: one table.

#include "stiction/io/mjcf/schema.h"

namespace stiction {

const XmlSchema& mjcf_schema() {
  // type, attributes, children (`tag` or `tag=type`)
  // clang-format off
  static const XmlSchema schema = {
      {"mujoco",
       "model",
       "compiler option size statistic visual default extension asset worldbody deformable "
       "contact tendon equality actuator sensor custom keyframe"},
      {"compiler",
       "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict "
       "coordinate discardvisual eulerseq fitaabb fusestatic inertiafromgeom inertiagrouprange "
       "meshdir passthrough savecanonical savecompiled saveinertial settotalmass strippath "
       "texturedir usethread",
       "lengthrange"},
      {"lengthrange",
       "accel interval inttotal maxforce mode timeconst timestep tolrange useexisting uselimit",
       ""},
      {"option",
       "actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity impratio "
       "integrator iterations jacobian ls_iterations ls_tolerance magnetic noslip_iterations "
       "noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations "
       "sleep_tolerance solver timestep tolerance viscosity wind",
       "flag"},
      {"flag",
       "actuation autoreset clampctrl constraint contact damper diagexact energy equality "
       "eulerdamp filterparent frictionloss fwdinv gravity invdiscrete ipc island limit midphase "
       "multiccd nativeccd override refsafe sensor sleep speculative spring warmstart",
       ""},
      {"size",
       "memory nconmax njmax nkey nstack nuser_actuator nuser_body nuser_cam nuser_geom "
       "nuser_jnt nuser_sensor nuser_site nuser_tendon nuserdata",
       ""},
      {"statistic",
       "center extent meaninertia meanmass meansize",
       ""},
      {"visual",
       "",
       "global quality headlight map scale rgba"},
      {"global",
       "azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth offheight "
       "offwidth orthographic realtime",
       ""},
      {"quality",
       "numquads numslices numstacks offsamples shadowsize",
       ""},
      {"headlight",
       "active ambient diffuse specular",
       ""},
      {"map",
       "actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness "
       "stiffnessrot torque zfar znear",
       ""},
      {"scale",
       "actuatorlength actuatorwidth camera com connect constraint contactheight contactwidth "
       "forcewidth framelength framewidth frustum jointlength jointwidth light selectpoint "
       "slidercrank",
       ""},
      {"rgba",
       "actuator actuatornegative actuatorpositive bv bvactive camera com connect constraint "
       "contactforce contactfriction contactgap contactpoint contacttorque crankbroken fog force "
       "frustum haze inertia joint light rangefinder selectpoint slidercrank",
       ""},
      {"default",
       "class",
       "mesh=default_mesh texture=default_texture material=default_material joint=default_joint "
       "geom=default_geom site=default_site camera=default_camera light=default_light "
       "pair=default_pair equality=default_equality tendon=default_tendon "
       "general=default_general motor=default_motor position=default_position "
       "velocity=default_velocity intvelocity=default_intvelocity "
       "orientation=default_orientation pid=default_pid damper=default_damper "
       "cylinder=default_cylinder muscle=default_muscle adhesion=default_adhesion "
       "dcmotor=default_dcmotor default"},
      {"default_mesh",
       "inertia maxhullvert scale",
       ""},
      {"default_texture",
       "builtin colorspace embed gridlayout gridsize height hflip mark markrgb nchannel random "
       "rgb1 rgb2 type vflip width",
       ""},
      {"default_material",
       "emission metallic reflectance rgba roughness shininess specular texrepeat texture "
       "texuniform",
       "layer"},
      {"layer",
       "role texture",
       ""},
      {"default_joint",
       "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping frictionloss "
       "group limited margin pos range ref solimpfriction solimplimit solreffriction solreflimit "
       "springdamper springref springyield stiffness type user",
       ""},
      {"default_geom",
       "adhesion axisangle castshadow conaffinity condim contype density euler fitscale "
       "fluidcoef fluidshape friction fromto gap group hfield margin mass material mesh pos "
       "priority quat rgba shellinertia size solimp solmix solref surfacevel type user xyaxes "
       "zaxis",
       ""},
      {"default_site",
       "axisangle euler fromto group material mesh pos quat rgba size type user xyaxes zaxis",
       ""},
      {"default_camera",
       "axisangle euler focal focalpixel fovy ipd mode output pos principal principalpixel "
       "projection quat resolution sensorsize user xyaxes zaxis",
       ""},
      {"default_light",
       "active ambient attenuation bulbradius castshadow cutoff diffuse dir directional exponent "
       "intensity mode pos range softness specular type",
       ""},
      {"default_pair",
       "adhesion condim friction gap margin solimp solref solreffriction",
       ""},
      {"default_equality",
       "active solimp solref",
       ""},
      {"default_tendon",
       "actuatorfrclimited actuatorfrcrange armature damping frictionloss group limited margin "
       "material range rgba solimpfriction solimplimit solreffriction solreflimit springlength "
       "springyield stiffness user width",
       ""},
      {"default_general",
       "actdim actearly actlimited actrange armature biasprm biastype cranklength ctrllimited "
       "ctrlrange damping delay dynprm dyntype ffrange forcelimited forcerange gainprm gaintype "
       "gear group inheritrange input interp nsample user velrange",
       ""},
      {"default_motor",
       "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear "
       "group interp nsample user",
       ""},
      {"default_position",
       "armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited "
       "forcerange gear group inheritrange interp kp kv nsample timeconst user",
       ""},
      {"default_velocity",
       "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear "
       "group interp kv nsample user",
       ""},
      {"default_intvelocity",
       "actlimited actrange armature cranklength ctrllimited ctrlrange damping dampratio delay "
       "forcelimited forcerange gear group inheritrange interp kp kv nsample user",
       ""},
      {"default_orientation",
       "ctrlrange dampratio delay forcelimited forcerange group input interp kp kv nsample user",
       ""},
      {"default_pid",
       "armature cranklength ctrllimited ctrlrange damping dampratio delay ffrange forcelimited "
       "forcerange gear group imax inheritrange input interp ki kp kv nsample posrange slewmax "
       "user velrange",
       ""},
      {"default_damper",
       "armature cranklength ctrlrange damping delay forcelimited forcerange gear group interp "
       "kv nsample user",
       ""},
      {"default_cylinder",
       "area armature bias cranklength ctrllimited ctrlrange damping delay diameter forcelimited "
       "forcerange gear group interp nsample timeconst user",
       ""},
      {"default_muscle",
       "armature cranklength ctrllimited ctrlrange damping delay force forcelimited forcerange "
       "fpmax fvmax gear group interp lmax lmin nsample range scale timeconst user vmax",
       ""},
      {"default_adhesion",
       "ctrlrange delay forcelimited forcerange gain group interp nsample user",
       ""},
      {"default_dcmotor",
       "armature cogging controller cranklength ctrllimited ctrlrange damping delay gear group "
       "inductance input interp lugre motorconst nominal nsample resistance saturation thermal "
       "user",
       ""},
      {"extension",
       "",
       "plugin"},
      {"plugin",
       "plugin",
       "instance"},
      {"instance",
       "name",
       "config"},
      {"config",
       "key value",
       ""},
      {"asset",
       "",
       "mesh hfield skin texture material model"},
      {"mesh",
       "builtin class content_type face file inertia material maxhullvert name normal params "
       "refpos refquat scale smoothnormal texcoord vertex",
       "plugin=mesh_plugin"},
      {"mesh_plugin",
       "instance plugin",
       "config"},
      {"hfield",
       "content_type elevation file name ncol nrow size",
       ""},
      {"skin",
       "face file group inflate material name rgba texcoord vertex",
       "bone"},
      {"bone",
       "bindpos bindquat body vertid vertweight",
       ""},
      {"texture",
       "builtin class colorspace content_type embed file fileback filedown filefront fileleft "
       "fileright fileup gridlayout gridsize height hflip mark markrgb name nchannel random rgb1 "
       "rgb2 type vflip width",
       ""},
      {"material",
       "class emission metallic name reflectance rgba roughness shininess specular texrepeat "
       "texture texuniform",
       "layer"},
      {"model",
       "content_type file name",
       ""},
      {"body",
       "axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user xyaxes "
       "zaxis",
       "inertial joint freejoint geom attach site camera light plugin=body_plugin flexcomp body "
       "frame replicate"},
      {"worldbody",
       "",
       "geom attach site camera light plugin=body_plugin flexcomp body frame replicate"},
      {"frame",
       "name childclass pos quat axisangle xyaxes zaxis euler scale scaling massscale",
       "inertial joint freejoint geom attach site camera light plugin=body_plugin flexcomp body frame "
       "replicate"},
      {"replicate",
       "childclass count prefix sep offset euler",
       "geom attach site camera light plugin=body_plugin flexcomp body frame replicate"},
      {"inertial",
       "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis",
       ""},
      {"joint",
       "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping "
       "frictionloss group limited margin name pos range ref solimpfriction solimplimit "
       "solreffriction solreflimit springdamper springref springyield stiffness type user",
       ""},
      {"freejoint",
       "align group name",
       ""},
      {"geom",
       "adhesion axisangle castshadow class conaffinity condim contype density euler fitscale "
       "fluidcoef fluidshape friction fromto gap group hfield margin mass material mesh name pos "
       "priority quat rgba shellinertia size solimp solmix solref surfacevel type user xyaxes "
       "zaxis",
       "plugin=geom_plugin"},
      {"geom_plugin",
       "instance plugin",
       "config"},
      {"attach",
       "body frame model prefix",
       ""},
      {"site",
       "axisangle class euler fromto group material mesh name pos quat rgba size type user "
       "xyaxes zaxis",
       ""},
      {"camera",
       "axisangle class euler focal focalpixel fovy ipd mode name output pos principal "
       "principalpixel projection quat resolution sensorsize target user xyaxes zaxis",
       ""},
      {"light",
       "active ambient attenuation bulbradius castshadow class cutoff diffuse dir directional "
       "exponent intensity mode name pos range softness specular target texture type",
       ""},
      {"body_plugin",
       "instance plugin",
       "config"},
      {"flexcomp",
       "axisangle cellcount count dim dof element euler file flatskin group inertiabox mass "
       "material mesh name origin point pos quat radius rgba rigid scale spacing texcoord type "
       "xyaxes zaxis",
       "edge elasticity contact=flex_contact pin plugin=flexcomp_plugin"},
      {"edge",
       "damping equality solimp solref stiffness",
       ""},
      {"elasticity",
       "damping elastic2d poisson section sectionsize shear thickness yield young",
       ""},
      {"flex_contact",
       "activelayers conaffinity condim contype friction gap margin passive priority selfcollide "
       "solimp solmix solref",
       ""},
      {"pin",
       "grid gridrange id range",
       ""},
      {"flexcomp_plugin",
       "instance plugin",
       "config"},
      {"deformable",
       "",
       "flex skin"},
      {"flex",
       "body cellcount dim dof element elemtexcoord flatskin group material name node nodecoord "
       "radius rgba texcoord vertex",
       "contact=flex_contact edge=flex_edge elasticity"},
      {"flex_edge",
       "damping stiffness",
       ""},
      {"contact",
       "",
       "pair exclude"},
      {"pair",
       "adhesion class condim friction gap geom1 geom2 margin name solimp solref solreffriction",
       ""},
      {"exclude",
       "body1 body2 name",
       ""},
      {"tendon",
       "",
       "spatial fixed"},
      {"spatial",
       "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited "
       "margin material name range rgba solimpfriction solimplimit solreffriction solreflimit "
       "springlength springyield stiffness user width",
       "site=spatial_site geom=spatial_geom pulley"},
      {"spatial_site",
       "site",
       ""},
      {"spatial_geom",
       "geom sidesite",
       ""},
      {"pulley",
       "divisor",
       ""},
      {"fixed",
       "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited "
       "margin name range solimpfriction solimplimit solreffriction solreflimit springlength "
       "springyield stiffness user",
       "joint=fixed_joint"},
      {"fixed_joint",
       "coef joint",
       ""},
      {"equality",
       "",
       "connect weld joint=equality_joint tendon=equality_tendon flex=equality_flex flexstrain"},
      {"connect",
       "active anchor body1 body2 class name site1 site2 solimp solref",
       ""},
      {"weld",
       "active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale",
       ""},
      {"equality_joint",
       "active class joint1 joint2 name polycoef solimp solref",
       ""},
      {"equality_tendon",
       "active class name polycoef solimp solref tendon1 tendon2",
       ""},
      {"equality_flex",
       "active class flex name solimp solref",
       ""},
      {"flexstrain",
       "active cell class flex name solimp solref",
       ""},
      {"actuator",
       "",
       "general motor position velocity intvelocity orientation pid damper cylinder muscle "
       "adhesion dcmotor plugin=actuator_plugin"},
      {"general",
       "actdim actearly actlimited actrange armature biasprm biastype body class cranklength "
       "cranksite ctrllimited ctrlrange damping delay dynprm dyntype ffrange forcelimited "
       "forcerange gainprm gaintype gear group inheritrange input interp joint jointinparent "
       "lengthrange name nsample refsite site slidersite tendon user velrange",
       ""},
      {"motor",
       "armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited "
       "forcerange gear group interp joint jointinparent lengthrange name nsample refsite site "
       "slidersite tendon user",
       ""},
      {"position",
       "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay "
       "forcelimited forcerange gear group inheritrange interp joint jointinparent kp kv "
       "lengthrange name nsample refsite site slidersite tendon timeconst user",
       ""},
      {"velocity",
       "armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited "
       "forcerange gear group interp joint jointinparent kv lengthrange name nsample refsite "
       "site slidersite tendon user",
       ""},
      {"intvelocity",
       "actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange damping "
       "dampratio delay forcelimited forcerange gear group inheritrange interp joint "
       "jointinparent kp kv lengthrange name nsample refsite site slidersite tendon user",
       ""},
      {"orientation",
       "class ctrlrange dampratio delay forcelimited forcerange group input interp joint kp kv "
       "name nsample refsite site user",
       ""},
      {"pid",
       "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay "
       "ffrange forcelimited forcerange gear group imax inheritrange input interp joint "
       "jointinparent ki kp kv lengthrange name nsample posrange refsite site slewmax slidersite "
       "tendon user velrange",
       ""},
      {"damper",
       "armature class cranklength cranksite ctrlrange damping delay forcelimited forcerange "
       "gear group interp joint jointinparent kv lengthrange name nsample refsite site "
       "slidersite tendon user",
       ""},
      {"cylinder",
       "area armature bias class cranklength cranksite ctrllimited ctrlrange damping delay "
       "diameter forcelimited forcerange gear group interp joint jointinparent lengthrange name "
       "nsample refsite site slidersite tendon timeconst user",
       ""},
      {"muscle",
       "armature class cranklength cranksite ctrllimited ctrlrange damping delay force "
       "forcelimited forcerange fpmax fvmax gear group interp joint jointinparent lengthrange "
       "lmax lmin name nsample range scale slidersite tausmooth tendon timeconst user vmax",
       ""},
      {"adhesion",
       "body class ctrlrange delay forcelimited forcerange gain group interp name nsample user",
       ""},
      {"dcmotor",
       "armature class cogging controller cranklength cranksite ctrllimited ctrlrange damping "
       "delay gear group inductance input interp joint jointinparent lengthrange lugre "
       "motorconst name nominal nsample refsite resistance saturation site slidersite tendon "
       "thermal user",
       ""},
      {"actuator_plugin",
       "actdim actearly actlimited actrange armature class cranklength cranksite ctrllimited "
       "ctrlrange damping delay dynprm dyntype forcelimited forcerange gear group instance "
       "interp joint jointinparent lengthrange name nsample plugin site slidersite tendon user",
       "config"},
      {"sensor",
       "",
       "touch=site_sensor accelerometer=site_sensor velocimeter=site_sensor gyro=site_sensor "
       "force=site_sensor torque=site_sensor magnetometer=site_sensor camprojection rangefinder "
       "jointpos=joint_sensor jointvel=joint_sensor tendonpos=tendon_sensor "
       "tendonvel=tendon_sensor actuatorpos=actuator_sensor actuatorvel=actuator_sensor "
       "actuatorfrc=actuator_sensor jointactuatorfrc=joint_sensor "
       "tendonactuatorfrc=tendon_sensor ballquat=joint_sensor ballangvel=joint_sensor "
       "jointlimitpos=joint_sensor jointlimitvel=joint_sensor jointlimitfrc=joint_sensor "
       "tendonlimitpos=tendon_sensor tendonlimitvel=tendon_sensor tendonlimitfrc=tendon_sensor "
       "framepos=frame_sensor framequat=frame_sensor framexaxis=frame_sensor "
       "frameyaxis=frame_sensor framezaxis=frame_sensor framelinvel=frame_sensor "
       "frameangvel=frame_sensor framelinacc=frame_acceleration_sensor "
       "frameangacc=frame_acceleration_sensor subtreecom=subtree_sensor "
       "subtreelinvel=subtree_sensor subtreeangmom=subtree_sensor insidesite "
       "distance=distance_sensor normal=distance_sensor fromto=distance_sensor "
       "contact=sensor_contact e_potential=global_sensor e_kinetic=global_sensor "
       "clock=global_sensor tactile user plugin=sensor_plugin"},
      {"site_sensor",
       "cutoff delay interp interval name noise nsample site user",
       ""},
      {"camprojection",
       "camera cutoff delay interp interval name noise nsample site user",
       ""},
      {"rangefinder",
       "camera cutoff data delay interp interval name noise nsample site user",
       ""},
      {"joint_sensor",
       "cutoff delay interp interval joint name noise nsample user",
       ""},
      {"tendon_sensor",
       "cutoff delay interp interval name noise nsample tendon user",
       ""},
      {"actuator_sensor",
       "actuator cutoff delay interp interval name noise nsample user",
       ""},
      {"frame_sensor",
       "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
       ""},
      {"frame_acceleration_sensor",
       "cutoff delay interp interval name noise nsample objname objtype user",
       ""},
      {"subtree_sensor",
       "body cutoff delay interp interval name noise nsample user",
       ""},
      {"insidesite",
       "cutoff delay enclosed interp interval name noise nsample objname objtype site user",
       ""},
      {"distance_sensor",
       "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user",
       ""},
      {"sensor_contact",
       "body1 body2 cutoff data delay geom1 geom2 interp interval name noise nsample num reduce "
       "site subtree1 subtree2 user",
       ""},
      {"global_sensor",
       "cutoff delay interp interval name noise nsample user",
       ""},
      {"tactile",
       "cutoff delay geom interp interval mesh name nsample user",
       ""},
      {"user",
       "cutoff datatype dim name needstage noise objname objtype user",
       ""},
      {"sensor_plugin",
       "cutoff instance name objname objtype plugin refname reftype user",
       "config"},
      {"custom",
       "",
       "numeric text tuple"},
      {"numeric",
       "data name size",
       ""},
      {"text",
       "data name",
       ""},
      {"tuple",
       "name",
       "element"},
      {"element",
       "objname objtype prm",
       ""},
      {"keyframe",
       "",
       "key"},
      {"key",
       "act ctrl mpos mquat name plastic qpos qvel time",
       ""},  };
  // clang-format on
  return schema;
}

}  // namespace stiction
